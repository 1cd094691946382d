# semantics.md, vector T9
options --from t9.json --policy flux
columns name rank factor
a1 5 0.500000000
a2 5 0.500000000
a3 3 0.750000000
b1 5 0.500000000
b2 5 0.500000000
b3 3 0.750000000
c1 1 1.000000000
c2 2 0.875000000
