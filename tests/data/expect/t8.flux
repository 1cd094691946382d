# semantics.md, vector T8
options --from t8.json --policy flux
columns name rank factor
a 1 1.000000000
b 1 1.000000000
c 3 0.333333333
