internal import WidgetCore
internal import WidgetLayout

/// The stylesheet of one viewing: the reader's scheme and size of text, and the device's status bar.
package enum ViewingSheet {
    package static let fileName = "screen.css"

    /// - Parameter pages: those that share the sheet.
    package static func text(_ options: PageOptions, for pages: [PrintedPage]) -> String {
        var rules: [String] = []
        if let scheme = options.scheme { rules.append("color-scheme:\(scheme.rawValue)") }
        let factor = options.viewport.textSize.factor
        if factor != 1 {
            let (size, usual) = (TextStyle.body.size(at: options.viewport.textSize), TextStyle.body.size(at: .large))
            if options.isContained {
                rules.append("--widget-scale:\(PageKey.number(size))/\(PageKey.number(usual))")
            } else {
                // Per cent, so that the reader's own size counts as well.
                rules.append("font-size:calc(\(PageKey.number(size * 100))%/\(PageKey.number(usual)))")
            }
            rules += TextStyle.allCases.map { style in
                // A rem is as many points as the browser's usual 16 are at the reader's setting.
                let size = style.size(at: options.viewport.textSize) / factor / 16
                return "\(LayoutClasses.size(of: style)):\(PageKey.number((size * 10_000).rounded() / 10_000))rem"
            }
            rules += TextStyle.allCases.map { style in
                tracking(LayoutClasses.tracking(of: style), style.size(at: options.viewport.textSize))
            }
            rules += trackedSizes.map { tracking(LayoutClasses.tracking(at: $0), Double($0) * factor) }
        }
        let selector = options.isContained ? ".page" : ":root"
        let root = rules.isEmpty ? "" : "\(selector){\(rules.joined(separator: ";"))}\n"
        let insets = options.viewport.safeArea
        let own = pages.reduce(into: [:]) { $0.merge($1.rules) { first, _ in first } }
        let rulesOfPages = own.sorted { $0.key < $1.key }.map { "\($0.value)\n" }.joined()
        let sheet =
            root + frame(options.frame)
            + ".w{--status:\(PageKey.points(max(insets.top, 0)));--home:\(PageKey.points(max(insets.bottom, 0)))}\n"
            + rulesOfPages
        return options.isContained ? ContainedSheet.text(sheet) : sheet
    }

    /// The widget in a frame of its device's size. A window that is smaller scrolls.
    private static func frame(_ size: Size?) -> String {
        guard let size else { return "" }
        return "body:has(>.status){height:auto;min-height:100dvh}\n"
            + "body:has(>.status)>.w.w{flex:none;width:\(PageKey.points(size.width));height:\(PageKey.points(size.height));"
            + "margin-inline:auto;box-shadow:0 0 0 1px light-dark(#8e8e93,#636366)}\n"
    }

    /// The sizes of fonts whose letters come closer to each other, or lie further apart, at another size of text.
    private static let trackedSizes = 6...40

    private static func tracking(_ name: String, _ size: Double) -> String {
        "\(name):\(PageKey.number((-TextMetrics.tracking(at: size) * 10_000).rounded() / 10_000))"
    }
}

/// Sheets of a widget in a page of others, whose root has a size of text that says nothing about the reader's.
package enum ContainedSheet {
    /// A sheet in which each `rem` is the length `--widget-rem` of the element around the widget.
    package static func text(_ sheet: String) -> String { String(decoding: bytes(Array(sheet.utf8)), as: UTF8.self) }

    package static func bytes(_ sheet: [UInt8]) -> [UInt8] {
        var contained: [UInt8] = []
        contained.reserveCapacity(sheet.count + sheet.count / 8)
        var place = 0
        while place < sheet.count {
            let number = sheet[place...].prefix { isOfNumber($0) }
            guard !number.isEmpty, !isOfName(contained.last), sheet[number.endIndex...].starts(with: unit),
                !isOfName(sheet[(number.endIndex + unit.count)...].first)
            else {
                // What a number begins with is not looked at again.
                let next = number.isEmpty ? place + 1 : number.endIndex
                contained += sheet[place..<next]
                place = next
                continue
            }
            contained += Array("calc(".utf8) + number + Array("*var(--widget-rem))".utf8)
            place = number.endIndex + unit.count
        }
        return contained
    }

    private static let unit = Array("rem".utf8)

    private static func isOfNumber(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte || byte == UInt8(ascii: ".") }

    /// True for a byte of a name, to which a number belongs that comes behind it.
    private static func isOfName(_ byte: UInt8?) -> Bool {
        guard let byte else { return false }
        return switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x80...0xFF: true
        default: false
        }
    }
}
