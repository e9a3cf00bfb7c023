internal import WidgetBytes

/// The texts of every program about itself: its version, its manual, and completion scripts for shells.
///
/// All of it is made from the program's ``Command``, so that a new command or option needs nothing else. The parser answers
/// these commands itself, as it answers `--help`.
enum SelfDescription {
    /// The commands that a program with a version has beside those it declares.
    static func commands(of name: String) -> [Command] {
        [
            Command(
                "completion", "print the script by which a shell completes words", example: "\(name) completion bash",
                subcommands: Shell.allCases.map {
                    Command(
                        $0.rawValue, "the script for \($0.rawValue): \($0.place(of: name))",
                        example: "\(name) completion \($0.rawValue)")
                } + [
                    Command(
                        "words", "what may be typed next, for these scripts", example: "\(name) completion words -- to",
                        positionals: [Positional("WORD", .any, help: "all words so far, the unfinished one last")])
                ]),
            Command("manual", "print the manual page, as man reads it", example: "\(name) manual | man -l -"),
            Command(
                "version", "print the version", example: "\(name) version --json",
                options: [Option("json", help: "as a JSON document with the member version")]),
        ]
    }

    /// The text that such a command prints; `nil` for the program's own commands.
    static func text(_ program: Command, _ invocation: Invocation) -> String? {
        let version = program.version ?? ""
        switch (invocation.command.first, invocation.command.last) {
        case ("version", _):
            guard invocation.has("json") else { return "\(program.name) \(version)\n" }
            return #"{"program": "\#(program.name)", "version": "\#(version)"}"# + "\n"
        case ("manual", _): return ManualPage(program).text
        case ("completion", "words"): return Completion(program, after: invocation.arguments).text
        case ("completion", let name?): return Shell(rawValue: name)?.script(for: program.name)
        default: return nil
        }
    }
}

/// The words that may be typed next. The last word is the incomplete one, and may be empty.
struct Completion {
    /// The words that may stand there, with what each means.
    private(set) var words: [(word: String, meaning: String)] = []
    /// True if the name of a file may stand there.
    private(set) var takesFiles = false

    /// - Parameter typed: all words of the line but the program's name.
    init(_ program: Command, after typed: [String]) {
        let current = typed.last ?? ""
        var path = [program]
        var awaited: Option?
        var isLiteral = false
        var given: Set<String> = []
        var arguments: [String] = []
        for word in typed.dropLast() {
            if awaited != nil {
                awaited = nil
            } else if !isLiteral, word == "--" {
                isLiteral = true
            } else if !isLiteral, word.hasPrefix("-"), word.count > 1 {
                let name = word.prefix { $0 != "=" }
                let known = Completion.options(of: path)
                guard let option = known.first(where: { "--\($0.name)" == name || $0.letter.map { "-\($0)" } == word })
                else { continue }
                given.insert(option.name)
                if option.valueName != nil, !option.isValueOptional, name == word { awaited = option }
            } else if let command = path.last?.subcommands.first(where: { $0.name == word }) {
                path.append(command)
            } else {
                arguments.append(word)
            }
        }
        let command = path.last ?? program
        if let awaited, let name = awaited.valueName {
            words = Completion.words(awaited.choices, awaited.help)
            takesFiles = words.isEmpty && Completion.isPlace(name)
        } else if !isLiteral, current.hasPrefix("-") {
            words = Completion.options(of: path).filter { $0.isRepeatable || !given.contains($0.name) }
                .map { ("--" + $0.name, $0.help) }
        } else if !command.subcommands.isEmpty {
            words = command.subcommands.map { ($0.name, $0.summary) }
        } else {
            let next = command.positionals.dropFirst(arguments.count).first
            let positional = next ?? command.positionals.last.flatMap { $0.maximumCount == .max ? $0 : nil }
            let choices = positional?.choices ?? []
            words = Completion.words(choices.filter { !arguments.contains($0.word) }, positional?.help ?? "")
            takesFiles = choices.isEmpty && positional.map { Completion.isPlace($0.name) } ?? false
        }
        words.removeAll { !$0.word.hasPrefix(current) }
    }

    private static func words(_ choices: [Choice], _ help: String) -> [(word: String, meaning: String)] {
        choices.map { ($0.word, $0.meaning.isEmpty ? help : $0.meaning) }
    }

    private static func options(of path: [Command]) -> [Option] {
        var names: Set<String> = []
        let all = path.reversed().flatMap(\.options) + [.help] + (path.count == 1 ? [.version] : [])
        return all.filter { names.insert($0.name).inserted }
    }

    /// True for the name of a value or an argument that is the path of something.
    private static func isPlace(_ name: String) -> Bool {
        name.split(whereSeparator: { "|.-".contains($0) }).contains {
            ["DIR", "FILE", "FOLDER", "OUT", "PATH", "ZIP", "json", "zip"].contains($0)
        }
    }

    /// A line for each word, with its meaning behind a tab; the line `:files` if names of files may stand there.
    var text: String {
        words.map { "\($0.word)\t\($0.meaning)\n" }.joined() + (takesFiles ? ":files\n" : "")
    }
}

/// A shell that completes words by a script of this program.
enum Shell: String, CaseIterable, Sendable {
    case bash, zsh, fish

    /// The path where the shell looks for the script.
    func place(of program: String) -> String {
        switch self {
        case .bash: "bash-completion/completions/\(program)"
        case .zsh: "_\(program) in a folder of $fpath"
        case .fish: "fish/vendor_completions.d/\(program).fish"
        }
    }

    /// The script asks the program, so that each shell proposes the same words, of the installed version.
    func script(for program: String) -> String {
        let function = program.split(separator: "-").joined(separator: "_")
        switch self {
        case .bash:
            return """
                # Completes the words of \(program) by asking it.
                _\(function)() {
                    local line word rest=${COMP_LINE#*"${COMP_WORDS[0]}"}
                    local -a typed=()
                    COMPREPLY=()
                    # The shell divides words at = and :, as in https://; parts without a blank between them are one word.
                    for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
                        case $rest in
                        [[:space:]]*) typed+=("$word"); rest=${rest#"${rest%%[![:space:]]*}"} ;;
                        *) typed[${#typed[@]} - 1]+=$word ;;
                        esac
                        rest=${rest#"$word"}
                    done
                    while IFS= read -r line; do
                        case $line in
                        :files) compopt -o filenames 2>/dev/null; while IFS= read -r line; do COMPREPLY+=("$line"); done \\
                            < <(compgen -f -- "${COMP_WORDS[COMP_CWORD]}") ;;
                        *) COMPREPLY+=("${line%%$'\\t'*}") ;;
                        esac
                    done < <("${COMP_WORDS[0]}" completion words -- "${typed[@]}" 2>/dev/null)
                }
                complete -F _\(function) \(program)

                """
        case .zsh:
            return """
                #compdef \(program)
                # Completes the words of \(program) by asking it.
                _\(program)() {
                    local line files=
                    local -a found
                    while IFS= read -r line; do
                        case $line in
                        :files) files=yes ;;
                        *) found+=("${${line%%$'\\t'*}//:/\\\\:}:${line#*$'\\t'}") ;;
                        esac
                    done < <("${words[1]}" completion words -- "${(@)words[2,CURRENT]}" 2>/dev/null)
                    (( $#found )) && _describe -t words word found
                    [[ -n $files ]] && _files
                }
                # A shell that finds this file in $fpath runs it for the first word that it completes.
                if [[ ${funcstack[1]} == _\(program) ]]; then _\(program) "$@"; else compdef _\(program) \(program); fi

                """
        case .fish:
            return """
                # Completes the words of \(program) by asking it.
                function __\(function)_words
                    set -l typed (commandline -opc) (commandline -ct)
                    for line in ($typed[1] completion words -- $typed[2..] 2>/dev/null)
                        if test "$line" = :files
                            __fish_complete_path (commandline -ct)
                        else
                            echo $line
                        end
                    end
                end
                complete -c \(program) -f -a '(__\(function)_words)'

                """
        }
    }
}
