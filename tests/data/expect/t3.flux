# semantics.md, vector T3
options --from t3.json --policy flux
columns name rank factor
a1 1 1.000000000
a2 4 0.250000000
b1 2 0.750000000
b2 2 0.750000000
