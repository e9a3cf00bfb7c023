/// Whether pages run widgets: in readers' browsers, by the engine that this server has for them.
package enum PageRunning: Equatable, Sendable {
    case on
    /// Pages show stills alone; the sentence says why.
    case off(String)

    /// A server without the settings of a program.
    package static let usual = PageRunning.off("This registry shows stills, and runs no widgets on its pages.")

    var isOn: Bool { self == .on }

    /// That of a page, by which it is cached.
    var key: String { if case .off(let reason) = self { reason } else { "" } }
}
