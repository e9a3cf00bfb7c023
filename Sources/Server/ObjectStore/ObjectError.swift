internal import WidgetBytes
package import WidgetFiles
internal import WidgetRegistry
package import WidgetTransfers

/// The reason for which a store of objects did not do what it was asked.
package enum ObjectError: Error, Equatable, Sendable, CustomStringConvertible {
    /// It failed so often that it is not asked for a while.
    case resting
    /// It could not be reached, or its answer was lost.
    case transfer(TransferError)
    /// It refused: the status, and its own code.
    case refused(status: Int, code: String)
    /// Its answer is not understood.
    case malformed(String)
    /// A file of this machine could not be read or written.
    case file(FileError)
    case outOfMemory

    package var description: String {
        switch self {
        case .resting: "the store of objects has failed several times, and is asked again in a moment"
        case .transfer(let error): error.description
        case .refused(let status, let code): "the store of objects answers \(status) \(code)\(ObjectError.hint(code))"
        case .malformed(let what): "the answer of the store of objects is not understood: \(what)"
        case .file(let error): error.description
        case .outOfMemory: "there is not enough memory for this"
        }
    }

    private static func hint(_ code: String) -> String {
        switch code {
        case "RequestTimeTooSkewed": "; the clock of this machine, or of the store, is wrong"
        case "SignatureDoesNotMatch": "; the secret is another, or the region is"
        case "InvalidAccessKeyId", "AccessDenied": "; the key has not the rights that this takes"
        case "NoSuchBucket": "; make the bucket first"
        default: ""
        }
    }

    /// True if the same request may succeed a moment later.
    var isTransient: Bool {
        switch self {
        case .transfer(let error): return error.isTransient || error.reason == .timedOut(.total)
        case .refused(let status, let code):
            // A body that came too slowly is a 400.
            return [429, 500, 502, 503, 504].contains(status) || code == "RequestTimeout" || code == "SlowDown"
        case .malformed: return true
        case .resting, .file, .outOfMemory: return false
        }
    }

    /// True if it says that the store is in trouble, and not the request.
    var tellsOfTrouble: Bool {
        switch self {
        case .transfer: true
        case .refused(let status, _): status >= 500
        case .malformed: true
        case .resting, .file, .outOfMemory: false
        }
    }
}

extension StoreTrouble {
    /// Addresses are left out: strangers read this as well.
    init(_ error: ObjectError) {
        switch error {
        case .refused where !error.tellsOfTrouble && !error.isTransient: self = .refused(error.description)
        case .transfer(let error): self = .silent("the store of objects does not answer: \(error.reason)")
        case .resting, .refused, .malformed, .file, .outOfMemory: self = .silent(error.description)
        }
    }
}

extension RegistryError {
    init(objects error: ObjectError) {
        switch error {
        case .file(let error): self = RegistryError(error)
        case .outOfMemory: self = .outOfMemory
        case .refused where !error.tellsOfTrouble && !error.isTransient: self = .storeRefused(error.description)
        case .resting, .transfer, .refused, .malformed: self = .unreachable(error.description)
        }
    }
}
