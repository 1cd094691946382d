# semantics.md, vector T4
options --from t4.json --policy flux
columns name rank factor
u 1 1.000000000
v 1 1.000000000
a1 3 0.500000000
a2 4 0.250000000
