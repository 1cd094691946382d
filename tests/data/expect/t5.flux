# semantics.md, vector T5
options --from t5.json --policy flux
columns name rank factor
a1 1 1.000000000
a2 5 0.333333333
b1 1 1.000000000
b2 5 0.333333333
c1 3 0.666666667
c2 3 0.666666667
