/// Something that happens to a widget.
package enum Event: Sendable {
    /// The widget begins.
    case start
    case tap(ViewKey)
    /// The text or value of an element becomes another one.
    case input(ViewKey, Value)
    case submit(ViewKey)
    case select(ViewKey, section: Int, row: Int)
    case deleteRow(ViewKey, section: Int, row: Int)
    case scroll(ViewKey, toEnd: Bool)
    case refresh(ViewKey)
    /// The user has picked a picture or a film.
    case pick(ViewKey, Media)
    case back
    case link(String)
    /// Time has gone by; the environment says how much.
    case time
    case response(request: Int, Outcome)
    case progress(request: Int, Double)
    case setting(String, Value)
    /// The host answers what an action asked for.
    case signal(name: String, phase: SignalPhase, error: String?)
}

/// A picture or a film, as the user has picked it.
package struct Media: Equatable, Sendable {
    package var fileName: String
    package var bytes: [UInt8]
    package var contentType: String
    package var isFilm: Bool

    package init(fileName: String, bytes: [UInt8], contentType: String, isFilm: Bool) {
        self.fileName = fileName
        self.bytes = bytes
        self.contentType = contentType
        self.isFilm = isFilm
    }
}

package enum SignalPhase: String, Sendable {
    case start = "Start"
    case progress = "Progress"
    case ready = "Ready"
    case success = "Success"
    case error = "Error"
}

/// What the world has to do because of an event.
package enum Effect: Sendable {
    case request(number: Int, Request)
    case cancel(number: Int)
    /// These records are other than before; those that are gone are to be forgotten.
    case persist([RecordID])
    case open(String)
    /// The host is asked to do something.
    case native(HostCall, argument: Value)
    case settings
}

/// One line of the log, for an author who looks for a mistake.
package struct LogEntry: Equatable, Sendable {
    package enum Kind: String, Sendable {
        case event, action, request, response, signal, stored, navigation, timer, alert, source
    }

    package var kind: Kind
    package var text: String
}

/// What an event leads to.
package struct Transition: Sendable {
    package var store: Store
    package var effects: [Effect]
    package var diagnostics: [Diagnostic]
    package var log: [LogEntry]
    /// Why nothing happened, where the event asked for what is not possible.
    package var refusal: String?
    /// What it took, of ``Budget/stepCount``.
    package var stepCount: Int
}
