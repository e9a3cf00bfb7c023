import ServerCommands

WidgetdCluster.program.main()
