import Console
import WidgetContract
import WidgetCore
import WidgetLayout

/// The options that say what screen a widget is laid out for.
struct ViewportOptions {
    static let options = [
        Option("viewport", value: "WxH[@S]", help: "the screen, and pixels of a point; else 375x667@2"),
        Option("scheme", value: "SCHEME", help: "light or dark; else that of the reader's system"),
        Option("text-size", value: "SIZE", help: "of the reader's text, from XS to AX5; else L"),
        Option("dir", value: "DIR", help: "ltr or rtl; else as the language of --locale runs"),
        Option("mode", value: "MODE", help: "compact or expanded; compact@T,L,B,R proposes margins"),
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

    private static let lengths = 1...10_000
    private static let scales = 1...3

    init(_ invocation: Invocation) throws(CommandFailure) {
        if invocation.value("viewport") != nil, invocation.value("size") != nil {
            throw .misuse("--viewport and --size both name a screen", hints: ["--viewport alone says what both do"])
        }
        let name = invocation.value("viewport") == nil ? "size" : "viewport"
        var viewport = try ViewportOptions.viewport(invocation.value(name) ?? "375x667", option: name)
        scheme = try ViewportOptions.choice("scheme", invocation)
        let halves = invocation.value("mode").map { $0.split(separator: "@", omittingEmptySubsequences: false) }
        mode = try halves.map { halves throws(CommandFailure) in
            try ViewportOptions.choice("mode", of: String(halves.first ?? ""))
        }
        insets = try ViewportOptions.insets(halves?.dropFirst().joined(separator: "@"))
        viewport.scheme = scheme ?? .light
        direction = try ViewportOptions.choice("dir", invocation)
        viewport.direction = direction ?? .init(of: invocation.value("locale") ?? "")
        if let text = invocation.value("text-size") {
            guard let size = Viewport.TextSize(rawValue: text.uppercased()) else {
                let sizes = Viewport.TextSize.allCases.map(\.rawValue).joined(separator: ", ")
                throw .misuse("--text-size is \(text)", hints: ["it can be \(sizes)"])
            }
            viewport.textSize = size
        }
        self.viewport = viewport
    }

    private static func insets(_ text: String?) throws(CommandFailure) -> Insets {
        guard let text, !text.isEmpty else { return .zero }
        let sides = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
        guard sides.count == 4, case let sides = sides.compactMap(\.self).filter({ InsetSide.range ~= $0 }),
            sides.count == 4
        else {
            throw .misuse(
                "the margins of --mode are \(text)",
                hints: ["they are the points at top, left, bottom and right, such as compact@0,47,39,0"])
        }
        return Insets(top: sides[0], leading: sides[1], bottom: sides[2], trailing: sides[3])
    }

    private static func viewport(_ text: String, option: String) throws(CommandFailure) -> Viewport {
        let halves = text.split(separator: "@", omittingEmptySubsequences: false)
        let lengths = halves[0].split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        let scale = halves.count == 2 ? Int(halves[1]) : 2
        guard halves.count <= 2, lengths.count == 2, let width = lengths[0], let height = lengths[1], let scale,
            self.lengths ~= width, self.lengths ~= height, scales ~= scale
        else {
            throw .misuse(
                "--\(option) is \(text)",
                hints: ["it takes a width and a height, such as 375x667, and can end in @1, @2 or @3"])
        }
        return Viewport(size: Size(width: Double(width), height: Double(height)), scale: scale)
    }

    private static func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String, _ invocation: Invocation
    ) throws(CommandFailure) -> Choice? where Choice.RawValue == String {
        guard let text = invocation.value(name) else { return nil }
        return try choice(name, of: text)
    }

    private static func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String, of text: String
    ) throws(CommandFailure) -> Choice where Choice.RawValue == String {
        guard let choice = Choice(rawValue: text.lowercased()) else {
            let choices = Choice.allCases.map(\.rawValue).joined(separator: " or ")
            throw .misuse("--\(name) is \(text)", hints: ["it can be \(choices)"])
        }
        return choice
    }
}
