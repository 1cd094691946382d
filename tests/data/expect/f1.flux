# semantics.md, vector F1
options --from f1.json --policy flux
columns name level_fs rank factor
account1 0.990246445 null null
account2 1.089271089 null null
account3 1.198198198 null null
leaf.3.1 18446744073709551616 1 1
leaf.3.2 0.090909091 2 0.857142857
leaf.2.1 1.25 3 0.714285714
leaf.2.2 0.333333333 4 0.571428571
leaf.1.3 10.900900901 5 0.428571429
leaf.1.1 0.109009009 6 0.285714286
leaf.1.2 0.099099099 7 0.142857143
