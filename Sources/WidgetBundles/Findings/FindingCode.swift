/// What can be found in scheme and service files. A code is added, never reused.
enum FindingCode: String, CaseIterable {
    // What reaches arbitrary code on a host, or stops it.
    case predicateSyntax = "predicate-syntax"
    case predicateFunction = "predicate-function"
    case predicateCast = "predicate-cast"
    case predicateArgument = "predicate-argument"
    case formatArgument = "format-argument"
    case resultChain = "result-chain"
    case serviceURL = "service-url"
    case urlCredentials = "url-credentials"
    case lineBreak = "line-break"

    // What a host may not know, or what is unwise.
    case unknownClass = "unknown-class"
    case unknownSelector = "unknown-selector"
    case unknownTransformer = "unknown-transformer"
    case unknownKey = "unknown-key"
    case keyPath = "key-path"
    case plainHTTP = "plain-http"
    case privateAddress = "private-address"
    case slowPattern = "slow-pattern"
    case schemeName = "scheme-name"
    case unknownObject = "unknown-object"

    // What is amiss with the bundle as a whole.
    case noInterface = "no-interface"
    case sources

    var severity: Finding.Severity {
        switch self {
        case .predicateSyntax, .predicateFunction, .predicateCast, .predicateArgument, .formatArgument, .resultChain,
            .serviceURL, .urlCredentials, .lineBreak:
            .error
        case .unknownClass, .unknownSelector, .unknownTransformer, .unknownKey, .keyPath, .plainHTTP, .privateAddress,
            .slowPattern, .schemeName, .unknownObject, .noInterface, .sources:
            .warning
        }
    }
}
