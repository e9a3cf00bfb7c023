package import Bytes
package import Files
package import JSONText
internal import RegistryContract
package import Transfers
package import WidgetBundles

/// Why a widget could not be brought up to date. Whatever it is, what was there before is still there.
package struct FetchError: Error, Equatable, Sendable {
    package enum Reason: Equatable, Sendable {
        case invalidWidgetIdentifier(String)

        // The network and the registry.
        case transfer(TransferError)
        /// The registry has said no.
        case problem(RegistryProblem)
        case unexpectedStatus(Int)

        // What the registry says.
        case malformedDocument(JSONError)
        case contradiction(Contradiction)
        case foreignBundle(identifier: String)
        case pinMismatch(wanted: String, found: String)
        case staleSequence(seen: Int, offered: Int)
        case sequenceJump(seen: Int, offered: Int)
        case foreignAddress(String)
        case nothingOffered
        /// The registry's feed has a line or an event without an end.
        case endlessEvent

        // What arrived.
        case wrongSize(expected: Int, actual: Int)
        case wrongDigest(expected: Digest, actual: Digest)
        case wrongContent(expected: Digest, actual: Digest)
        case wrongIdentity(expected: String, actual: String)
        case bundle(BundleError)

        // The cache.
        case file(FileError)
        case busy
        /// A newer program has written the state of a widget.
        case newerState(format: Int)
        /// What was written to the cache is not what is there.
        case notKept
        case outOfMemory
    }

    /// What a resolve document says that cannot be true.
    package enum Contradiction: String, Equatable, Sendable {
        case anotherWidget = "it is about another widget"
        case anotherChannel = "it is about another channel"
        case bundleIdentifier = "its bundle identifier is none"
        case sequence = "its sequence is not positive"
        case tooManyCandidates = "it offers too many candidates"
        case buckets = "its candidates' buckets overlap, or are none"
        case release = "a release key is none"
        case digest = "a digest is none"
        case size = "an archive's size is impossible"
        case files = "a candidate's files do not fit into its archive, or are out of order"
        case content = "a content digest is not that of the files listed"
    }

    package var reason: Reason

    package init(_ reason: Reason) {
        self.reason = reason
    }

    package init(_ error: FileError) { self.init(.file(error)) }
    package init(_ error: BundleError) { self.init(.bundle(error)) }
    package init(_ error: TransferError) { self.init(.transfer(error)) }
    package init(_ error: JSONError) { self.init(.malformedDocument(error)) }

    /// Whether there was no room on the disk.
    package var isOutOfSpace: Bool {
        switch reason {
        case .file(let error): error.isOutOfSpace
        case .bundle(let error): error.isOutOfSpace
        case .transfer(let error):
            if case .file(let error) = error.reason { error.isOutOfSpace } else { false }
        default: false
        }
    }

    /// Whether the same may succeed a moment later, or was given up.
    package var isTransient: Bool {
        switch reason {
        case .transfer(let error): error.isTransient || error.reason == .cancelled || error.reason == .timedOut(.total)
        case .problem(let problem): problem.status == 429 || problem.status >= 500
        case .unexpectedStatus(let status): status >= 500
        case .busy: true
        default: false
        }
    }

    /// Whether what was offered or arrived was refused, rather than not reached: asking again gives the same.
    package var isRefusal: Bool {
        switch reason {
        case .malformedDocument, .contradiction, .foreignBundle, .pinMismatch, .staleSequence, .sequenceJump,
            .foreignAddress, .wrongSize, .wrongDigest, .wrongContent, .wrongIdentity:
            true
        case .bundle(let error): error.isRefusal
        case .transfer(let error):
            switch error.reason {
            case .limitReached, .malformedAnswer, .changedMeanwhile: true
            default: false
            }
        default: false
        }
    }
}

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
