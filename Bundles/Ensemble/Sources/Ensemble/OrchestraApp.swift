import Widgets

/// What the widgets of other systems show in their demos: a menu of screens.
public struct OrchestraApp: WidgetApp {
    public init() {}

    public var identifier: String { "com.example.Orchestra" }

    public var first: any Widget { MainScreen() }

    /// The menu: a table whose rows are written, and one that is not a cell.
    struct MainScreen: WidgetView {
        @State var vote = "Not asked"

        func widget(_ context: WidgetContext) -> any Widget {
            TableWidget {
                concerts
                people
                house
            }
            .style(.grouped)
            .id("menu")
            .navigationBar(title: "Orchestra")
        }

        private var concerts: any Widget {
            TableSectionWidget {
                TableCellWidget("Tonight", subtitle: "Times that follow the clock")
                    .accessoryType(.disclosureIndicator)
                    .onSelect(.push(TonightScreen()))
                TableCellWidget("Programme", subtitle: "A page that scrolls both ways")
                    .accessoryType(.disclosureIndicator)
                    .onSelect(.push(ProgrammeScreen()))
                TableCellWidget("Seats", subtitle: "Places in front of each other")
                    .accessoryType(.disclosureIndicator)
                    .onSelect(.push(SeatsScreen()))
            }
            .title("Concerts")
        }

        private var people: any Widget {
            TableSectionWidget {
                TableCellWidget("Musicians", subtitle: "A list with details")
                    .accessoryType(.disclosureIndicator)
                    .onSelect(.push(MusiciansScreen()))
                TableCellWidget("Members", subtitle: "A form to sign in")
                    .accessoryType(.disclosureIndicator)
                    .onSelect(.push(SignInScreen()))
                TableCellWidget("Name plate", subtitle: "A text that follows a field")
                    .accessoryType(.disclosureIndicator)
                    .onSelect(.push(NamePlateScreen()))
            }
            .title("People")
        }

        private var house: any Widget {
            TableSectionWidget {
                TableCellWidget("Hall", value: "Harbour Hall")
                TableCellWidget("Seats", value: "412")
                TableCellWidget("Encore", value: $vote)
                    .accessoryType(.disclosureIndicator)
                    .onSelect(.present(EncoreScreen(), result: .setArgument($vote)))
                    .id("encore")
                LabelWidget("A row need not be a cell: this one is a label.")
            }
            .title("House")
            .footer("All rows of this section are written in the document.")
        }
    }
}
