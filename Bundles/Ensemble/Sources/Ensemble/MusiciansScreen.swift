import Widgets

/// A player of the orchestra.
struct Musician: Codable, Identifiable {
    var id: Int
    var name: String
    var initials: String
    var plays: String
    var since: Int
    var desk: Int
    var phone: String?
}

/// Rows of items and written rows in one table.
struct MusiciansScreen: WidgetView {
    @State var musicians = [
        Musician(
            id: 1, name: "Ada Brandt", initials: "AB", plays: "Violin", since: 2004, desk: 1, phone: "+4315550101"),
        Musician(id: 2, name: "Boris Celik", initials: "BC", plays: "Oboe", since: 2011, desk: 3, phone: "+4315550102"),
        Musician(id: 3, name: "Chidi Duarte", initials: "CD", plays: "Fog horn", since: 2016, desk: 7),
        Musician(
            id: 4, name: "Dana Eriksen", initials: "DE", plays: "Harp", since: 1998, desk: 2, phone: "+4315550104"),
    ]

    func widget(_ context: WidgetContext) -> any Widget {
        TableWidget {
            DynamicTableSectionWidget($musicians, key: \.id) { musician in
                TableCellWidget {
                    PortraitWidget(initials: musician.initials)
                    LabelWidget(musician.name)
                    SpacerWidget()
                    LabelWidget(musician.plays).color(.quiet)
                }
                .accessoryType(.disclosureIndicator)
            }
            .title("On stage")
            .onSelect { musician in .push(with: musician) { MusicianScreen(musician: $0) } }
            TableSectionWidget {
                TableCellWidget("Conductor", value: "Eva Fujita")
                TableCellWidget("Page turner", value: "vacant")
            }
            .title("In the wings")
        }
        .style(.plain)
        .id("musicians")
        .navigationBar(title: "Musicians")
    }
}

/// Details of a musician, with a call that needs a number.
struct MusicianScreen: WidgetView {
    let musician: Reading<Musician>

    func widget(_ context: WidgetContext) -> any Widget {
        TableWidget {
            PortraitWidget(initials: musician.initials, name: musician.name)
            TableSectionWidget {
                TableCellWidget("Plays", value: musician.plays)
                TableCellWidget("Desk", value: "\(musician.desk)")
                TableCellWidget("Since", value: "\(musician.since)")
            }
            .title("Orchestra")
            TableSectionWidget {
                ButtonWidget("Call").onTap(.open("tel:\(musician.phone)")).id("call")
            }
            .title("Contact")
            .footer("A call is left to the host. Without a number, nothing happens.")
        }
        .style(.inset)
        .navigationBar(title: "\(musician.name)")
    }
}
