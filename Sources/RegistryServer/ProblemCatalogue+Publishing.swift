internal import Files
package import HTTPServer
package import HTTPWire
package import JSONText
internal import Registry
package import RegistryContract
package import WidgetBundles
internal import Zip

extension ProblemCatalogue {
    /// Why a bundle was not taken in.
    package static func problem(_ error: BundleError) -> Problem {
        if case .file(let file) = error.reason { return problem(RegistryError.storage(file)) }
        if case .archive(let zip) = error.reason, case .file(let file) = zip.reason {
            return problem(RegistryError.storage(file))
        }
        guard let code = ProblemCode(error.code) else { return problem(.internalFailure) }
        var members: [Problem.Member] = []
        if let limit = error.limit { members.append(Problem.Member("limit", limit)) }
        if let path = error.path { members.append(Problem.Member("path", path)) }
        if let offset = error.offset { members.append(Problem.Member("offset", offset)) }
        if let line = error.line { members.append(Problem.Member("line", line)) }
        if let column = error.column { members.append(Problem.Member("column", column)) }
        let details = error.details
        if !details.isEmpty {
            members.append(
                Problem.Member(
                    "errors", details.map { .init(code: $0.code, path: $0.path, detail: $0.detail) }))
        }
        return problem(code, "\(error). \(error.code.advice)", members)
    }

    /// A document in a request's body that is not what the route takes.
    package static func problem(_ error: JSONError) -> Problem {
        problem(
            .malformedRequest, "The body is not the JSON this route takes: \(error).",
            [Problem.Member("line", error.line), Problem.Member("column", error.column)])
    }

    /// A form that is not one file.
    package static func problem(_ mistake: FormReader.Mistake) -> Problem {
        switch mistake {
        case .noBoundary:
            problem(
                .malformedRequest,
                "The form's Content-Type names no usable boundary; let the client write it, as curl -F does.")
        case .partHeadTooLong(let limit):
            problem(
                .malformedRequest, "The head of a part of the form is longer than \(limit) bytes.",
                [Problem.Member("limit", limit)])
        case .partHeadUnreadable:
            problem(
                .malformedRequest,
                "A part of the form does not say what it is: its Content-Disposition is missing or unreadable.")
        case .field(let name):
            problem(
                .malformedRequest,
                "The form has a field \"\(name.prefix(80))\"; channel, rollout and the like belong into the query, for example ?channel=beta."
            )
        case .noFile:
            problem(
                .malformedRequest, "The form has no file; send one, for example with: curl -F bundle=@WidgetDemo.zip")
        case .severalFiles: problem(.malformedRequest, "The form has more than one file; publish one bundle at a time.")
        case .truncated: problem(.malformedRequest, "The form ends before its last boundary; send it again.")
        }
    }
}

extension ProblemCode {
    /// The code of a bundle's refusal; `nil` for a failure of the server.
    package init?(_ code: BundleError.Code) {
        switch code {
        case .notAZip: self = .notAZip
        case .archiveRefused: self = .archiveRefused
        case .entryRefused: self = .entryRefused
        case .tooLarge: self = .tooLarge
        case .tooManyFiles: self = .tooManyFiles
        case .expansionRefused: self = .expansionRefused
        case .infoPlistMissing: self = .infoPlistMissing
        case .infoPlistInvalid: self = .infoPlistInvalid
        case .invalidJSON: self = .invalidJSON
        case .policyRefused: self = .policyRefused
        case .internal: return nil
        }
    }
}

extension BundleError {
    /// The limit that was reached, where that is why.
    fileprivate var limit: Int? {
        switch reason {
        case .tooLargeToRead(let limit), .tooManyFiles(let limit), .tooManyEntries(let limit): return limit
        case .archive(let error):
            if case .limitReached(_, let limit) = error.reason { return limit }
            return nil
        case .noBundle, .severalBundles, .besideBundle, .unnamedBundle, .unusableName, .unsafePath, .infoPlistMissing,
            .infoPlist, .infoPlistNotDictionary, .infoPlistKey, .disguised, .format, .plist, .json, .policy,
            .notStrict, .notCanonical, .notAFile, .nameNotUTF8, .file, .outOfMemory:
            return nil
        }
    }
}

extension BundleError.Code {
    /// The sentence that tells a publisher what to do.
    fileprivate var advice: String {
        switch self {
        case .notAZip: "Send the zip archive itself as the body."
        case .archiveRefused, .entryRefused: "Pack the bundle again, for example with widget pack; nothing was stored."
        case .tooLarge, .tooManyFiles, .expansionRefused:
            "Leave out what the bundle does not need; the limits are at /.well-known/widget-registry."
        case .infoPlistMissing, .infoPlistInvalid: "Correct the bundle's Info.plist and publish it again."
        case .invalidJSON: "Correct the file and publish the bundle again."
        case .policyRefused: "Each entry of errors says what to change; widget inspect shows the same without a server."
        case .internal: "Nothing was stored."
        }
    }
}
