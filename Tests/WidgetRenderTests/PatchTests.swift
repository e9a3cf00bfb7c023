import Predicates
import Testing
import WidgetCore
import WidgetRender

/// Goal: a patch says all that changed, whatever it was. Method: two views that differ in one thing each.
@Suite struct `A patch` {
    static func said(_ new: View, after old: View) -> String {
        String(decoding: ViewJSON.document(new.difference(from: old)), as: UTF8.self)
    }

    static func label(_ properties: [(PropertyName, Value)], events: [NodeEvent] = []) -> View {
        Text.view([
            ViewNode(
                ViewKey(screen: 1, node: 3), .label, properties: properties.map { ViewProperty($0.0, $0.1) },
                events: events)
        ])
    }

    @Test func `has the title, and what is in an alert`() {
        let old = Self.label([])
        var new = old
        new.title = "other"
        #expect(Self.said(new, after: old) == #"[{"title":"other"}]"# + "\n")
        new.title = old.title
        new.alerts = [View.Notice(key: ViewKey(screen: 5, node: -3), title: "T", message: "M", button: "OK")]
        #expect(
            Self.said(new, after: old) == #"[{"alerts":[{"buttons":["OK"],"message":"M","title":"T"}]}]"# + "\n")
        #expect(Self.said(old, after: new) == #"[{"alerts":[]}]"# + "\n")
    }

    @Test func `says nothing of what is gone, in so many words`() {
        let old = Self.label([(.text, .string("a")), (.disabled, .boolean(true)), (.value, .integer(1))])
        let new = Self.label([(.text, .string("a")), (.value, .double(0.5))])
        #expect(Self.said(new, after: old) == #"[{"key":"1.3","set":{"disabled":null,"value":0.5}}]"# + "\n")
        #expect(
            Self.said(old, after: new) == #"[{"key":"1.3","set":{"disabled":true,"value":1}}]"# + "\n")
    }

    @Test func `replaces what can be done something else with, and is something else`() {
        let text: [(PropertyName, Value)] = [(.text, .string("a"))]
        let said = Self.said(Self.label(text, events: [.tap]), after: Self.label(text))
        #expect(said.hasPrefix(#"[{"key":"1.3","node":{"actions":["tap"],"#))
        let button = Text.view([Text.node(.button, text, id: 3)])
        #expect(Self.said(button, after: Self.label(text)).hasPrefix(#"[{"key":"1.3","node":"#))
    }

    @Test func `moves what changes places, and makes the view that it leads to`() {
        let (old, new) = ([(3, "a"), (4, "b"), (5, "c")], [(5, "c"), (3, "a"), (4, "b")])
        let said = Patches.said(new, after: old)
        #expect(said.contains(#"{"remove":"1.3"}"#) && said.contains(#""into":"1.2","key":"1.3""#))
    }
}
