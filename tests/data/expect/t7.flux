# semantics.md, vector T7
options --from t7.json --policy flux
columns name rank factor
a 1 1.000000000
b 1 1.000000000
c 4 0.250000000
d 3 0.500000000
