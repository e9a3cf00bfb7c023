import Console
import Files
import JSONText
import RegistryClient
import WidgetBuild
import WidgetBundles
import WidgetIntake

/// Why a command could not do what it was asked.
enum CommandFailure: Error {
    /// The command line or the environment says something that cannot be meant.
    case misuse(String, hints: [String])
    case failed(String, hints: [String])
    /// - Parameter hints: what else helps, besides what the error says itself.
    case registry(FetchError, hints: [String] = [])
    case bundle(BundleError, source: String)

    /// - Parameter source: the path that does not lead to a bundle.
    init(_ error: SourceError, source: String) {
        self =
            switch error {
            case .file(let error): .bundle(BundleError(error), source: source)
            case .build(let error): .failed("\(error)", hints: error.hints)
            case .bundle(let error): .bundle(error, source: source)
            }
    }

    /// What happened, in one sentence.
    var sentence: String {
        switch self {
        case .misuse(let message, _), .failed(let message, _): message
        case .registry(let error, _): "\(error)"
        case .bundle(let error, let source): "\(source): \(error)"
        }
    }

    /// Shows it: one `error:` line and what helps, or the registry's own document where JSON was asked for.
    func show(asJSON: Bool) -> ExitCode {
        switch self {
        case .misuse(let message, let hints):
            Terminal.complain(QuotedText.plain(message), hints: hints.map(QuotedText.plain))
            return .misuse
        case .failed(let message, let hints):
            Terminal.complain(QuotedText.plain(message), hints: hints.map(QuotedText.plain))
            return .failed
        case .bundle(let error, let source): return Refusal.show(error, source: source, asJSON: asJSON)
        case .registry(let error, let hints):
            guard case .problem(let problem) = error.reason else {
                Terminal.complain(QuotedText.plain("\(error)"), hints: (error.hints + hints).map(QuotedText.plain))
                return .failed
            }
            if asJSON {
                var writer = JSONWriter()
                writer.value(problem.document)
                let printed = Terminal.print(document: writer.finish())
                return printed == .clean ? .failed : printed
            }
            let words = ProblemWords(problem, hints: error.hints + hints)
            Terminal.complain(
                QuotedText.plain(words.sentence), details: words.causes.map(QuotedText.plain),
                hints: words.hints.map(QuotedText.plain), reference: QuotedText.plain(words.reference))
            return .failed
        }
    }
}
