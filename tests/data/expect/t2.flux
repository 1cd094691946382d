# semantics.md, vector T2
options --from c1.json --policy flux
columns name rank factor
user1 3 0.600000000
user2 5 0.200000000
user3 4 0.400000000
user4 2 0.800000000
user5 1 1.000000000
