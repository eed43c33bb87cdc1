# Completion of command lines in fish: asks that of bash, which is installed beside it.

set -g __skampi_bash (realpath (dirname (status filename))/../../bash-completion/completions/skampi)

function __skampi_complete
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    if string match -qr -- '^--[a-z-]+=' $word
        set -l parts (string split -m 1 = -- $word)
        string replace -r -- '^' "$parts[1]=" (bash $__skampi_bash $words $parts[1] = "$parts[2]" 2>/dev/null)
    else
        bash $__skampi_bash $words "$word" 2>/dev/null
    end
end

for program in skampi dorep skampi-show skampi-compare skampi-export skampi-launch skampi-tune skampi-profile skampi-model skampi-db
    complete -c $program -f -a '(__skampi_complete)'
end
