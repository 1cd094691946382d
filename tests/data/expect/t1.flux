# semantics.md, vector T1
options --from d1.json --policy flux
columns name rank factor
u1 3 0.714285714
u2 4 0.571428571
u3 2 0.857142857
u4 1 1.000000000
u5 5 0.428571429
u6 7 0.142857143
u7 6 0.285714286
