# SPDX-License-Identifier: GPL-2.0-or-later
# Completion of fathom for fish. The command itself tells what a word may become.

function __fathom_complete
    set -l words (commandline -opc) (commandline -ct)
    command $words[1] complete $words[2..] 2>/dev/null
    or __fish_complete_path (commandline -ct)
end

complete -c fathom -f -a '(__fathom_complete)'
