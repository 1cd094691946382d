# SPDX-License-Identifier: GPL-2.0-or-later
# Completion of fathom for fish. The command itself tells what a word may become.

function __fathom_complete
    # without quotes, and with nothing expanded but "~/"; the last word up to the cursor
    set -l last (string unescape -- (commandline -ct))
    set -l words (string replace -r '^~/' "$HOME/" -- (commandline -opc) "$last")
    command $words[1] complete $words[2..] 2>/dev/null
    and return
    # file names, as they were begun: behind "--from=" or "~/"
    set -l begun (string match -r -- '^--[^=]*=|^~/' "$last")
    set -l folder (string match -q -- '~/' "$begun"; and echo "$HOME/")
    __fish_complete_path "$folder"(string replace -- "$begun" '' "$last") |
        string replace -- "$folder" '' | string replace -r '^' -- "$begun"
end

complete -c fathom -f -a '(__fathom_complete)'
