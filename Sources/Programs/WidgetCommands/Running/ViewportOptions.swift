import WidgetBytes
import WidgetConsole
import WidgetContract
import WidgetCore
import WidgetEngine
import WidgetLayout

/// The options that say what screen a widget is laid out for.
struct ViewportOptions {
    static let options = [
        Option("viewport", value: "WxH[@S]", help: "the screen, and pixels of a point; else 375x667@2"),
        Option(
            "scheme", value: "SCHEME", choices: ["light", "dark"],
            help: "light or dark; else that of the reader's system"),
        Option("text-size", value: "SIZE", help: "of the reader's text, from XS to AX5; else L"),
        Option(
            "dir", value: "DIR", choices: ["ltr", "rtl"], help: "ltr or rtl; else as the language of --locale runs"),
        Option(
            "mode", value: "MODE", choices: ["compact", "expanded"],
            help: "compact or expanded; compact@T,L,B,R proposes margins"),
    ]

    let viewport: Viewport
    /// `nil` if none was given.
    let scheme: Viewport.Scheme?
    /// `nil` if none was given.
    let direction: Viewport.Direction?
    /// `nil` if none was given.
    let mode: DisplayMode?
    /// The margins that the host proposes.
    let insets: Insets

    init(_ invocation: Invocation) throws(CommandFailure) {
        let screen = try rethrowing(
            try ScreenSettings { invocation.value($0) }, as: { (fault: SettingFault) in CommandFailure(fault) })
        (viewport, scheme, direction) = (screen.viewport, screen.scheme, screen.direction)
        (mode, insets) = (screen.mode, screen.insets)
    }
}

extension CommandFailure {
    init(_ fault: SettingFault) { self = .misuse("\(fault)", hints: fault.hints) }
}
