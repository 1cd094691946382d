# semantics.md, vector T6
options --from t6.json --policy flux
columns name rank factor
a 3 0.600000000
b 4 0.400000000
c 4 0.400000000
d 2 0.800000000
e 1 1.000000000
