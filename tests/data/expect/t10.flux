# semantics.md, vector T10
options --from t10.json --policy flux
columns name rank factor
a1 5 0.500000000
a2 5 0.500000000
a3 4 0.625000000
b1 7 0.250000000
b2 7 0.250000000
b3 3 0.750000000
c1 1 1.000000000
c2 2 0.875000000
