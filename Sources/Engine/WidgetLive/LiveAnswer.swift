package import WidgetCore

/// The reason why a viewing was not made, or an event not taken.
package enum LiveRefusal: Error, Equatable, Sendable {
    case tooManyViewings(limit: Int)
    case tooManyOfAddress(limit: Int)
    /// More events than a person makes; the rest may be sent again after some seconds.
    case tooFast(retryAfter: Double)
    case malformed(String)
    /// The widget cannot run, with the reason in a sentence.
    case unreadable(String)
    /// The page has ended, or never was.
    case over

    /// The reason, for people. Details are English in all languages.
    package func sentence(_ words: SystemWords) -> String {
        switch self {
        case .tooManyViewings: words[.tooManyPages]
        case .tooManyOfAddress: words[.tooManyOfReader]
        case .tooFast: words[.tooFast]
        case .malformed(let reason), .unreadable(let reason): reason
        case .over: words[.ended]
        }
    }
}

/// An answer to a batch of events, or to a form.
package enum LiveOutcome: Equatable, Sendable {
    case taken
    case refused(LiveRefusal)
}

/// The reason why a viewing has ended.
package enum LiveEnding: Equatable, Sendable {
    /// Its viewer was away, or did nothing, for so long.
    case idle(seconds: Double)
    /// Its address has opened others, and it was the one unused for longest.
    case madeRoom
    /// It has more bytes than a viewing may have.
    case tooLarge(limit: Int)
    /// Its viewer has left the page.
    case left
    /// The server ends.
    case stopped

    /// A sentence for the viewer.
    package func sentence(_ words: SystemWords) -> String {
        switch self {
        case .idle(let seconds): words[.endedIdle, ["minutes": "\(Int(seconds / 60))"]]
        case .madeRoom: words[.endedForOthers]
        case .tooLarge(let limit): words[.endedTooLarge, ["size": "\(limit >> 20)"]]
        case .left: words[.endedLeft]
        case .stopped: words[.endedServer]
        }
    }
}
