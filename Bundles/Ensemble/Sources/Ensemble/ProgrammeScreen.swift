import Widgets

/// A page that scrolls, with a row of cards that scrolls the other way, and a part that opens.
struct ProgrammeScreen: WidgetView {
    struct Piece: Codable {
        var composer: String
        var title: String
        var minutes: Int
    }

    @State var pieces = [
        Piece(composer: "A. Varga", title: "Overture for a rainy harbour", minutes: 9),
        Piece(composer: "L. Imoru", title: "Concerto for oboe and fog horn", minutes: 27),
        Piece(composer: "P. Sandoval", title: "Symphony in low light", minutes: 41),
        Piece(composer: "M. Okafor", title: "Encore, if asked for", minutes: 4),
    ]

    func widget(_ context: WidgetContext) -> any Widget {
        ScrollWidget {
            VStackWidget {
                LabelWidget("Four pieces").font(.title2)
                cards
                DividerWidget()
                LabelWidget("About the evening").font(.title2)
                LabelWidget(
                    """
                    The overture was written on a ferry that did not leave. It begins with drops, which the harps play, \
                    and it ends when the rain does; on some evenings that is never, and the conductor lays the baton down.
                    """)
                LabelWidget(
                    """
                    In the concerto the oboe asks, and the fog horn answers, always a little late and always the same \
                    note. The second movement is for the oboe alone. The horn player uses it to fill the tank.
                    """)
                LabelWidget(
                    """
                    The symphony is played with every second lamp switched off. Who cannot read the notes any more plays \
                    what the neighbour plays, and so the last movement is different each time.
                    """)
                DisclosableWidget("The encore") {
                    LabelWidget("It has no score. It is as long as the applause before it.")
                }
                .id("more")
            }
            .spacing(16)
            .padding(16)
        }
        .id("page")
        .navigationBar(title: "Programme")
    }

    private var cards: any Widget {
        ScrollWidget {
            HStackWidget {
                ForEach($pieces, key: \.title) { piece in
                    CardWidget(title: piece.composer, text: piece.title, note: "\(piece.minutes) minutes")
                }
            }
            .alignment(.top)
            .spacing(12)
        }
        .axis(.horizontal)
        .id("pieces")
    }
}
