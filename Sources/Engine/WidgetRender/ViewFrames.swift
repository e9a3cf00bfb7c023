internal import JSONText
package import WidgetCore
internal import WidgetLayout

/// Views as places on a screen, for hosts that draw them: each visible element with its frame in points, its text's
/// baseline, font and colours. Keys are in alphabetical order, without members for absent values.
package struct ViewFrames: ViewPrinter {
    package static let mediaType = "application/json"

    private let layout: ScreenLayout
    private let viewport: Viewport
    private let program: Program

    package init(_ program: Program, _ options: PrintOptions) {
        viewport = options.viewport
        layout = ScreenLayout(program, options.viewport, measure: options.measure)
        self.program = program
    }

    package func print(_ view: View, _ assets: some ViewAssets) -> [UInt8] { document(view) }

    package func document(_ view: View) -> [UInt8] {
        let placed = layout.placed(view)
        let elements = PaintedElements(view, placed, program, viewport)
        var writer = JSONWriter(reservingBytes: 4_096 + placed.boxes.count * 200)
        writer.object { writer in
            writer.key("alerts")
            writer.array { writer in
                for alert in view.alerts { ViewJSON.write(alert, to: &writer) }
            }
            writer.key("diagnostics")
            writer.array { writer in
                for diagnostic in view.diagnostics + placed.findings { ViewJSON.write(diagnostic, to: &writer) }
            }
            writer.key("elements")
            writer.array { writer in
                for element in elements.inReadingOrder { write(element, to: &writer) }
            }
            ViewJSON.write(view.insets, to: &writer)
            writer.member("screen", view.screen)
            writer.member("title", view.title)
            writer.key("viewport")
            write(viewport, to: &writer)
            if !view.isVisible { writer.member("visible", false) }
        }
        return writer.finish()
    }

    private func write(_ viewport: Viewport, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("direction", viewport.direction.rawValue)
            writer.key("safeArea")
            let safe = viewport.safeArea
            write([safe.top, safe.leading, safe.bottom, safe.trailing], to: &writer)
            writer.member("scale", viewport.scale)
            writer.member("scheme", viewport.scheme.rawValue)
            writer.key("size")
            write([viewport.size.width, viewport.size.height], to: &writer)
            writer.member("textSize", viewport.textSize.rawValue)
        }
    }

    private func write(_ element: PaintedElements.Element, to writer: inout JSONWriter) {
        let (box, paint) = (element.box, element.paint)
        writer.object { writer in
            if paint.alpha < 1 { member("alpha", paint.alpha, to: &writer) }
            if let color = paint.background { writer.member("background", color.css) }
            if let baseline = box.baseline { member("baseline", pixel(baseline), to: &writer) }
            if paint.borderWidth > 0 {
                writer.key("border")
                writer.object { writer in
                    if let color = paint.border { writer.member("color", color.css) }
                    member("width", paint.borderWidth, to: &writer)
                }
            }
            if box.isClipped { writer.member("clipped", true) }
            if let content = element.content {
                writer.key("content")
                write([pixel(content.width), pixel(content.height)], to: &writer)
            }
            if paint.cornerRadius > 0 {
                member("cornerRadius", paint.cornerRadius, to: &writer)
                if let corners = paint.corners {
                    writer.key("corners")
                    writer.array {
                        for corner in Corner.allCases where corners.contains(corner) { $0.string(corner.rawValue) }
                    }
                }
            }
            if let font = box.font {
                writer.key("font")
                write(font, to: &writer)
            }
            if let color = paint.foreground { writer.member("foreground", color.css) }
            writer.key("frame")
            let frame = box.frame.rounded(toScale: viewport.scale)
            write([frame.x, frame.y, frame.width, frame.height], to: &writer)
            if let identifier = box.view.identifier { writer.member("identifier", identifier) }
            writer.member("key", element.name)
            writer.member("kind", box.view.kind.row.name)
            if box.lineCount > 0 { writer.member("lines", box.lineCount) }
            if let name = element.accessible?.name { writer.member("name", name) }
            writer.member("paint", element.place)
            if let parent = element.parent { writer.member("parent", parent) }
            writer.member("role", element.accessible?.role ?? box.view.kind.row.traits.role)
            if let states = element.accessible?.states, !states.isEmpty {
                writer.key("state")
                writer.array { for state in states { $0.string(state) } }
            }
            if let symbol = SystemSymbol.shown(by: box.view, box.look) { writer.member("symbol", symbol.rawValue) }
            if box.font != nil {
                let text = box.view.shownText(box.look)
                writer.member("text", box.view.isTrue(.isSecure) ? String(repeating: "•", count: text.count) : text)
            }
            if box.isTextCut { writer.member("truncated", true) }
            if let value = element.accessible?.value { writer.member("value", value) }
        }
    }

    private func write(_ font: ResolvedFont, to writer: inout JSONWriter) {
        writer.object { writer in
            if let family = font.family { writer.member("family", family) }
            if font.isItalic { writer.member("italic", true) }
            if font.isMonospaced { writer.member("monospaced", true) }
            member("size", (font.size * 100).rounded() / 100, to: &writer)
            writer.member("weight", font.weight)
        }
    }

    private func pixel(_ length: Double) -> Double {
        let scale = Double(max(viewport.scale, 1))
        return (length * scale).rounded() / scale
    }

    private func write(_ numbers: [Double], to writer: inout JSONWriter) {
        writer.array { for number in numbers { write(number, to: &$0) } }
    }

    private func member(_ name: String, _ number: Double, to writer: inout JSONWriter) {
        writer.key(name)
        write(number, to: &writer)
    }

    /// Whole numbers have no fraction.
    private func write(_ number: Double, to writer: inout JSONWriter) {
        if let whole = Int64(exactly: number) { writer.number(whole) } else { writer.number(number) }
    }
}
