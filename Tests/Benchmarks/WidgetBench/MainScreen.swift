import WidgetDocuments
import WidgetHosting
import WidgetRunning
import Widgets

/// The table of many items, written in Swift. As a document it is called Main, as that which it is compared with.
struct MainScreen: WidgetView {
    struct Person: Codable {
        var id: String
        var name: String
        var group: String
        var note: String
    }

    @State var count = 0
    @State var people: [Person]

    init(count: Int) {
        people = (0..<count).map {
            Person(id: "\($0)", name: "name \(100_000 + $0)", group: "group \($0 % 10)", note: "a note")
        }
    }

    func widget(_ context: WidgetContext) -> any Widget {
        VStackWidget {
            ButtonWidget("Rename").onTap { _ in people[people.count / 2].note += "." }.id("rename")
            TableWidget {
                ForEach($people, key: \.id) { person in
                    TableCellWidget(person.name, subtitle: "\(person.group)", value: "\(person.note)")
                        .onSelect(.set($count, to: $count + 1))
                }
            }
        }
    }

    var native: NativeProgram {
        let program = DeclaredProgram("bench", first: self)
        return NativeProgram(program.declaration, code: program)
    }

    var input: DocumentInput { native.input }
}
