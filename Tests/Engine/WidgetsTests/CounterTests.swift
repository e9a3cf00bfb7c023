import JSONText
import Testing
import WidgetContract

@testable import Widgets

struct Person: Codable, Equatable, Sendable, Identifiable {
    var id: Int
    var name: String
    var friend: String?
}

struct Card<Title: Readable>: WidgetView where Title.Value == String {
    let title: Title
    @State var isOpen = false

    func widget(_ context: WidgetContext) -> any Widget {
        VStackWidget {
            LabelWidget(title).font(.headline)
            SwitchWidget("Open", isOn: $isOpen)
            When($isOpen) {
                LabelWidget("Inside \(title.reading)")
            } else: {
                SpacerWidget(h: 3)
            }
        }
        .padding(8)
    }
}

extension Readable {
    var reading: Reading<Value> { Reading(operand) }
}

struct DetailsScreen: WidgetView {
    let person: Reading<Person>

    func widget(_ context: WidgetContext) -> any Widget {
        LabelWidget(person.name)
        ButtonWidget("Done").onTap(.back(returning: person.name))
    }
}

struct CounterScreen: WidgetView {
    @State var count = 0
    @State var person = Person(id: 0, name: "Ann")
    @State var people = [Person(id: 1, name: "Bo")]
    @State var last = ""

    func widget(_ context: WidgetContext) -> any Widget {
        VStackWidget {
            LabelWidget("Count: \($count) of \($person.name)").font(.title1).numberOfLines(2)
            TextFieldWidget($person.name).placeholder("Name")
            ButtonWidget("Add").onTap(.set($count, to: $count + 1)).enabled($count < 10 && !$person.name.isEmpty)
            ButtonWidget("Half").onTap { _ in count /= 2 }
            ButtonWidget("Reset").onTap(.set($count, to: 0), .set($last, to: "none"))
            Card(title: "One").hidden($count > 3)
            Card(title: $person.name)
            ForEach($people, key: \.id) { person in
                LabelWidget(person.name)
                ButtonWidget("Show").onTap(
                    .push(with: person, result: .setArgument($last)) { DetailsScreen(person: $0) })
                ButtonWidget("Pick").onTap(with: person) { _, person in last = person.name }
            }
            for text in ["a", "$b"] { LabelWidget(text) }
            LabelWidget($count.map { String(repeating: "*", count: $0) })
            if count > 1 { LabelWidget("many") }
        }
        .navigationBar(title: "Counter")
    }
}

struct `A screen in Swift` {
    @Test func `is written as a document`() {
        let declaration = DeclaredProgram("com.example.Counter", first: CounterScreen()).declaration
        #expect(declaration.documents.map(\.name) == ["Counter", "Details"])
        #expect(declaration.faults.isEmpty)
    }
}
