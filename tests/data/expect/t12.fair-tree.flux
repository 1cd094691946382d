# semantics.md, vector T12
options --from t12.json --policy fair-tree --set tie_mode=flux
columns name rank factor
a1 4 0.666666667
a2 4 0.666666667
a3 1 1.000000000
b1 4 0.666666667
b2 4 0.666666667
b3 1 1.000000000
c1 4 0.666666667
c2 4 0.666666667
c3 1 1.000000000
