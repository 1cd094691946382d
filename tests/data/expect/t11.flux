# semantics.md, vector T11
options --from t11.json --policy flux
columns name rank factor
u 3 0.666666667
a1 5 0.333333333
a2 5 0.333333333
a3 4 0.500000000
c1 1 1.000000000
c2 2 0.833333333
