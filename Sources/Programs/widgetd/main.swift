import ServerCommands

Widgetd.program.main()
