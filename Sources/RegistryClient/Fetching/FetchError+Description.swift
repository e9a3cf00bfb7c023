internal import Bytes
internal import Files
internal import JSONText
internal import RegistryContract
internal import Transfers
internal import WidgetBundles

extension FetchError: CustomStringConvertible {
    /// One sentence that says what happened.
    package var description: String {
        switch reason {
        case .invalidWidgetIdentifier:
            "this is no widget identifier: 1 to \(WidgetIdentifier.longest) of A-Z a-z 0-9 . - _, a letter or digit first"
        case .transfer(let error): "\(error)"
        case .problem(let problem): "\(problem.title): \(problem.detail)"
        case .unexpectedStatus(let status): "the registry answers \(status), which means nothing here"
        case .malformedDocument(let error): "the registry's answer cannot be read: \(error)"
        case .contradiction(let contradiction): "the registry's answer contradicts itself: \(contradiction.rawValue)"
        case .foreignBundle(let identifier):
            "the registry offers \(identifier), with which the identifier does not begin"
        case .pinMismatch(let wanted, let found): "the registry offers \(found); only \(wanted) is allowed"
        case .staleSequence(let seen, let offered):
            "the registry offers state \(offered) of the channel, and state \(seen) has been seen"
        case .sequenceJump(let seen, let offered): "the channel's state jumps from \(seen) to \(offered)"
        case .foreignAddress(let address): "the archive is said to be at \(address), which is not at the registry"
        case .nothingOffered: "the channel has no release for this installation yet"
        case .endlessEvent: "the registry's feed has an event that does not end"
        case .wrongSize(let expected, let actual): "the archive has \(actual) bytes and not \(expected)"
        case .wrongDigest(let expected, let actual): "the archive's SHA-256 is \(actual) and not \(expected)"
        case .wrongContent(let expected, let actual): "the content digest is \(actual) and not \(expected)"
        case .wrongIdentity(let expected, let actual): "what arrived is \(actual) and not \(expected)"
        case .bundle(let error): "the bundle is refused: \(error)"
        case .file(let error): "\(error)"
        case .busy: "another process has been changing this widget for too long"
        case .newerState(let format):
            "the widget's state in the cache has format \(format), and this program knows \(WidgetState.format)"
        case .notKept: "what was written to the cache is not what can be read there"
        case .outOfMemory: "there is not enough memory"
        }
    }

    /// What to do about it.
    package var hints: [String] {
        switch reason {
        case .problem(let problem) where problem.isOne(of: .noSuchWidget, .noCompatibleRelease):
            ["`widget list` shows what the registry has, and on which channels"]
        case .problem(let problem) where [401, 403].contains(problem.status):
            ["`--token`, WIDGET_TOKEN or WIDGET_TOKEN_FILE gives a token that may do it"]
        case .staleSequence:
            ["an old answer was replayed, or the registry was restored from a backup without raising its sequences"]
        case .newerState: ["use the newer program, or another cache"]
        case .transfer: ["`widget doctor` probes the registry"]
        case _ where isOutOfSpace: ["the disk is full; `widget fetch` goes on where it stopped once there is room"]
        default: []
        }
    }
}
