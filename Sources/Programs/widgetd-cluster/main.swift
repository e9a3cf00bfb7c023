import ClusterCommands

WidgetdCluster.main()
