internal import WidgetBytes

/// The choices of the address of a widget alone in a window: the reader and device, a screen, and a link to begin with.
package struct AloneChoice: Equatable, Sendable {
    private static let widthParameter = AloneChoice.length(
        "width", "The device by its width in points; `size` names the same.", { $0.points.width })
    private static let heightParameter = AloneChoice.length(
        "height", "The device by its height in points, where no `width` is given.", { $0.points.height })
    private static let screenParameter = QueryParameter.text(
        "screen", .spelledWord(atMost: 200),
        "The screen to begin with, by its name: the widget's own first one unless given.",
        expectation: "the name of a screen", where: { 1...200 ~= $0.utf8.count })
    private static let linkParameter = QueryParameter.text(
        "open", .spelledWord(atMost: 2_000), "A link of the widget to begin with.",
        expectation: "a link of at most 2000 bytes",
        where: { 1...2_000 ~= $0.utf8.count })
    private static let inspectParameter = QueryParameter.text(
        "inspect", .spelled(atMost: 20), "With it, the page says what the widget is made of as soon as it runs.",
        expectation: "left empty", where: { $0.utf8.count <= 20 })

    package static let all =
        DeviceChoice.all + [
            widthParameter.described, heightParameter.described, screenParameter.described, linkParameter.described,
            inspectParameter.described,
        ]

    package var device: DeviceChoice
    /// True for an address that names a device; the widget has the whole window else.
    package let hasDevice: Bool
    package private(set) var screen: String?
    package private(set) var link: String?
    package let inspects: Bool

    package init(_ query: borrowing some QuerySource & ~Copyable) throws(UnreadableParameter) {
        device = try DeviceChoice(query)
        guard query.hasQuery else {
            (hasDevice, screen, link, inspects) = (false, nil, nil, false)
            return
        }
        let (width, height) = (try Self.widthParameter.value(in: query), try Self.heightParameter.value(in: query))
        let fitting = DeviceChoice.Size.allCases.first {
            if let width { $0.points.width == width } else { $0.points.height == height }
        }
        if let fitting { device.size = fitting }
        hasDevice = width != nil || height != nil || query.parameter("size") != nil
        screen = try Self.screenParameter.value(in: query)
        link = try Self.linkParameter.value(in: query)
        inspects = try Self.inspectParameter.value(in: query) != nil
    }

    /// Chooses another screen to begin with.
    package mutating func show(_ screen: String) { (self.screen, link) = (screen, nil) }

    /// The lengths that devices have; others are refused, as no still has them.
    private static func length(
        _ name: StaticString, _ about: String, _ length: @escaping @Sendable (DeviceChoice.Size) -> Int
    ) -> QueryParameter<Int> {
        let offered = DeviceChoice.Size.allCases.map { String(length($0)) }
        return QueryParameter(
            name, .word(offered), about, expectation: "one of \(offered.joined(separator: ", "))",
            read: { offered.contains($0) ? Int($0) : nil }, write: { String($0) })
    }

    /// The query of the address; empty for the usual one.
    package var query: String {
        var parts = device.query.isEmpty ? [] : [String(device.query.dropFirst())]
        if hasDevice, device.size == .phone { parts.append("size=\(device.size.rawValue)") }
        if let screen { parts.append("screen=\(PercentEncoding.segment(screen))") }
        if let link { parts.append("open=\(PercentEncoding.segment(link))") }
        if inspects { parts.append("inspect") }
        return parts.isEmpty ? "" : "?" + parts.joined(separator: "&")
    }
}
