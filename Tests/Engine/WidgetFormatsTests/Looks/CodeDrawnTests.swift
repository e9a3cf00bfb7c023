import Testing
import WidgetCore

@testable import WidgetFormats

/// Goal: a view that only code draws is known by its class, so that printers can say what they do not show. Method:
/// storyboards, compiled and read.
@Suite struct `Views that code draws` {
    private typealias D = DrawnInterface

    private static func own(_ name: String, size: Double = 100, x: Double = 10, _ content: String = "") -> String {
        D.element("view", name, "customClass=\"ChartView\"", frame: D.frame(x, 20, size, size), content)
    }

    @Test func `A view of another framework has its class as its kind`() throws {
        let drawn = try DrawnInterface(D.element("mapView", "map"))
        #expect(try drawn.node("map").kind == .unknown("MKMapView"))
    }

    @Test func `A host's own view is named where nothing is drawn in it or over it`() throws {
        let child = "<subviews>\(D.element("label", "inside"))</subviews>"
        let drawn = try DrawnInterface(
            Self.own("ground", x: 10) + Self.own("chart", x: 60) + Self.own("small", size: 43, x: 300)
                + Self.own("full", x: 200, child) + D.element("view", "plain", frame: D.frame(10, 300, 100, 100)))
        #expect(try drawn.node("chart").kind == .unknown("ChartView"))
        for name in ["ground", "small", "full", "plain"] { #expect(try drawn.node(name).kind == .box, "\(name)") }
    }

    @Test func `A view of the framework draws nothing by itself`() throws {
        let drawn = try DrawnInterface(
            D.element("view", "status", "customClass=\"FormDisplayView\"", frame: D.frame(0, 0, 100, 100)))
        #expect(try drawn.node("status").kind == .form)
    }
}
