package import WidgetContract
package import WidgetCore
package import WidgetLayout

/// The screen that a widget is laid out for, as options say it: `viewport`, `size`, `scheme`, `dir`, `text-size`, `mode`.
package struct ScreenSettings: Sendable {
    package let viewport: Viewport
    /// `nil` if none was given.
    package let scheme: Viewport.Scheme?
    /// `nil` if none was given.
    package let direction: Viewport.Direction?
    /// `nil` if none was given.
    package let mode: DisplayMode?
    /// The margins that the host proposes.
    package let insets: Insets

    private static let lengths = 1...10_000
    private static let scales = 1...3

    /// - Parameters:
    ///   - isContained: true for a page around the widget, which keeps it clear of what the device covers.
    ///   - value: the text of an option; `nil` if it was not given.
    package init(isContained: Bool = false, _ value: (String) -> String?) throws(SettingFault) {
        if value("viewport") != nil, value("size") != nil {
            throw SettingFault(
                "--viewport and --size both name a screen", hints: ["--viewport alone says what both do"])
        }
        let name = value("viewport") == nil ? "size" : "viewport"
        var viewport = try ScreenSettings.viewport(value(name) ?? "375x667", option: name)
        scheme = try ScreenSettings.choice("scheme", of: value("scheme"))
        var mode: DisplayMode?
        var insets = Insets.zero
        if let text = value("mode") {
            let halves = text.split(separator: "@", omittingEmptySubsequences: false)
            mode = try ScreenSettings.choice("mode", of: String(halves.first ?? ""))
            insets = try ScreenSettings.insets(halves.dropFirst().joined(separator: "@"))
        }
        (self.mode, self.insets) = (mode, insets)
        if isContained { viewport.safeArea = .zero }
        viewport.scheme = scheme ?? .light
        direction = try ScreenSettings.choice("dir", of: value("dir"))
        viewport.direction = direction ?? .init(of: value("locale") ?? "")
        if let text = value("text-size") {
            guard let size = Viewport.TextSize(rawValue: text.uppercased()) else {
                let sizes = Viewport.TextSize.allCases.map { $0.rawValue }.joined(separator: ", ")
                throw SettingFault("--text-size is \(text)", hints: ["it can be \(sizes)"])
            }
            viewport.textSize = size
        }
        self.viewport = viewport
    }

    private static func insets(_ text: String) throws(SettingFault) -> Insets {
        guard !text.isEmpty else { return .zero }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let sides = parts.compactMap { Double($0) }.filter { InsetSide.range ~= $0 }
        guard parts.count == 4, sides.count == 4 else {
            throw SettingFault(
                "the margins of --mode are \(text)",
                hints: ["they are the points at top, left, bottom and right, such as compact@0,47,39,0"])
        }
        return Insets(top: sides[0], leading: sides[1], bottom: sides[2], trailing: sides[3])
    }

    private static func viewport(_ text: String, option: String) throws(SettingFault) -> Viewport {
        let halves = text.split(separator: "@", omittingEmptySubsequences: false)
        let parts = halves[0].split(separator: "x", omittingEmptySubsequences: false)
        let lengths = parts.compactMap { Int($0) }.filter { self.lengths ~= $0 }
        let scale = halves.count == 2 ? Int(halves[1]) : 2
        guard halves.count <= 2, parts.count == 2, lengths.count == 2, let scale, scales ~= scale else {
            throw SettingFault(
                "--\(option) is \(text)",
                hints: ["it takes a width and a height, such as 375x667, and can end in @1, @2 or @3"])
        }
        return Viewport(size: Size(width: Double(lengths[0]), height: Double(lengths[1])), scale: scale)
    }

    private static func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String, of text: String?
    ) throws(SettingFault) -> Choice? where Choice.RawValue == String {
        guard let text else { return nil }
        guard let choice = Choice(rawValue: text.lowercased()) else {
            let choices = Choice.allCases.map { $0.rawValue }.joined(separator: " or ")
            throw SettingFault("--\(name) is \(text)", hints: ["it can be \(choices)"])
        }
        return choice
    }
}

/// The reason why a value that a person gave cannot be used, and what can be done.
package struct SettingFault: Error, Equatable, Sendable, CustomStringConvertible {
    package let description: String
    package let hints: [String]

    package init(_ description: String, hints: [String] = []) {
        self.description = description
        self.hints = hints
    }
}
