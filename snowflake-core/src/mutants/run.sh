#!/usr/bin/env bash
# Changes main code in one place at a time, as mutants.txt says, and demands that a test fails.
#
# Called by Maven in the profile "mutants": run.sh <class path of the tests> [<part of a mutant's name>]
set -euo pipefail
export LC_ALL=C
class_path=$1
only=${2:-}
here=$(cd "$(dirname "$0")" && pwd)
core=$(cd "$here/../.." && pwd)
sources=$core/src/main/java/io/github/snowflakeid
work=$core/target/mutants
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
javac=${JAVA_HOME:+$JAVA_HOME/bin/}javac
applied=0
wrong=()

# Copies the unchanged classes. Without the module, so that tests can use package-private members.
prepare() {
    rm -rf "$work"
    mkdir -p "$work"
    cp -r "$core/target/classes" "$work/classes"
    rm -f "$work/classes/module-info.class"
}

# Runs a test. A test that hangs counts as failed.
passes() {
    local class=LeaseSimulationTests method=$1
    if [[ $1 == *'#'* ]]; then
        class=${1%#*} method=${1#*#}
    fi
    timeout 300 "$java" -cp "$work/classes:$class_path" org.junit.platform.console.ConsoleLauncher execute \
        --select-class="io.github.snowflakeid.$class" --include-methodname=".*[.#]$method" \
        --fail-if-no-tests --disable-banner --details=summary --disable-ansi-colors >"$work/log" 2>&1
}

why() {
    grep -m 1 -o -e 'AssertionError: .*' "$work/log" | cut -c 1-200 || echo "see $work/log"
}

mutate() {
    local name=$1 file=$2 test=$3 old=$4 new=$5 source rest
    [[ $name == *"$only"* ]] || return 0
    applied=$((applied + 1))
    source=$(cat "$sources/$file")
    rest=${source#*"$old"}
    if [[ $rest == "$source" || ${rest#*"$old"} != "$rest" ]]; then
        echo "DOES NOT APPLY  $name: the text to replace does not occur exactly once in $file"
        wrong+=("$name")
        return 0
    fi
    prepare
    mkdir -p "$(dirname "$work/sources/$file")"
    printf '%s\n' "${source%%"$old"*}$new$rest" >"$work/sources/$file"
    if ! "$javac" -nowarn -proc:none -d "$work/classes" -cp "$work/classes:$class_path" "$work/sources/$file" \
        >"$work/log" 2>&1; then
        cat "$work/log"
        echo "NOT COMPILED    $name"
        wrong+=("$name")
    elif passes "$test"; then
        echo "SURVIVED        $name"
        wrong+=("$name")
    else
        echo "found           $name: $(why)"
    fi
}

prepare
if ! passes '(onlyReservedIds|noIdIsIssued).*'; then
    cat "$work/log"
    echo "The tests fail on the unchanged code" >&2
    exit 1
fi

name= file= test= old= new= line=
read_all() {
    while IFS= read -r line || [[ -n $line ]]; do
        case $line in
            '#'*) ;;
            '= '*) name=${line#= } file= test= old= new= ;;
            -*) old+=${line#-}$'\n' ;;
            +*) new+=${line#+}$'\n' ;;
            '') finish ;;
            *) if [[ -z $file ]]; then file=$line; else test=$line; fi ;;
        esac
    done <"$here/mutants.txt"
    finish
}
finish() {
    if [[ -n $name ]]; then
        mutate "$name" "$file" "$test" "$old" "$new"
        name=
    fi
}
read_all

if [[ $applied == 0 ]]; then
    echo "No mutant has this in its name: $only" >&2
    exit 1
fi
echo "$((applied - ${#wrong[@]})) of $applied mutants found"
[[ ${#wrong[@]} == 0 ]]
