# semantics.md, section 7.2, on a tree of sshare
options --from p1.sshare --policy flux
columns name level_fs rank factor
root null null null
group1 2.400000000 null null
group2 0.720000000 null null
bob 1 1 1
cathy 1 1 1
suzy 1.8446744073709552e+19 3 0.500000000
scott 0.400000000 4 0.250000000
