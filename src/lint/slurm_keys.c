/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of the keys of slurm.conf in all releases from 22.05 to 26.05 together. A key that one of
 * them lacks is an error there, but which release a slurm.conf is for is not known here.
 * Source: Slurm, slurm.conf(5) of these releases.
 */
#include "lint/slurm_keys.h"

#include <stddef.h>
#include <strings.h>

const char *const slurm_keys[] = {
	"AccountingStorageBackupHost", "AccountingStorageEnforce",
	"AccountingStorageExternalHost", "AccountingStorageHost", "AccountingStorageLoc",
	"AccountingStorageParameters", "AccountingStoragePass", "AccountingStoragePort",
	"AccountingStorageTRES", "AccountingStorageType", "AccountingStorageUser",
	"AccountingStoreFlags", "AccountingStoreJobComment", "AcctGatherEnergyType",
	"AcctGatherFilesystemType", "AcctGatherInfinibandType", "AcctGatherInterconnectType",
	"AcctGatherNodeFreq", "AcctGatherProfileType", "AllowSpecResourcesUsage",
	"AuthAltParameters", "AuthAltTypes", "AuthInfo", "AuthType", "BackupAddr",
	"BackupController", "BatchStartTimeout", "BcastExclude", "BcastParameters",
	"BurstBufferParameters", "BurstBufferType", "CertgenParameters", "CertgenType",
	"CertmgrParameters", "CertmgrType", "CliFilterParameters", "CliFilterPlugins",
	"ClusterName", "CommunicationParameters", "CompleteWait", "ControlAddr",
	"ControlMachine", "CoreSpecPlugin", "CpuFreqDef", "CpuFreqGovernors", "CredType",
	"CryptoType", "DataParserParameters", "DebugFlags", "DefCPUPerGPU", "DefMemPerCPU",
	"DefMemPerGPU", "DefMemPerNode", "DefRuntimePlugin", "DependencyParameters",
	"DisableRootJobs", "DownNodes", "EioTimeout", "EnforcePartLimits", "Epilog",
	"EpilogMsgTime", "EpilogSlurmctld", "EpilogTimeout", "ExtSensorsFreq", "ExtSensorsType",
	"FairShareDampeningFactor", "FastSchedule", "FederationParameters", "FirstJobId",
	"FrontendName", "GetEnvTimeout", "GpuFreqDef", "GresTypes", "GroupUpdateForce",
	"GroupUpdateTime", "HashPlugin", "HealthCheckInterval", "HealthCheckNodeState",
	"HealthCheckProgram", "HealthCheckTimeout", "HttpParserType", "InactiveLimit",
	"InteractiveStepOptions", "JobAcctGatherFrequency", "JobAcctGatherParams",
	"JobAcctGatherType", "JobCompHost", "JobCompLoc", "JobCompParams", "JobCompPass",
	"JobCompPassScript", "JobCompPort", "JobCompType", "JobCompUser", "JobContainerType",
	"JobCredentialPrivateKey", "JobCredentialPublicCertificate", "JobFileAppend",
	"JobRequeue", "JobSubmitPlugins", "KeepAliveTime", "KillOnBadExit", "KillWait",
	"LaunchParameters", "LaunchType", "LicenseParameters", "Licenses", "LogTimeFormat",
	"MailDomain", "MailProg", "MaxArraySize", "MaxBatchRequeue", "MaxDBDMsgs",
	"MaxJobCount", "MaxJobId", "MaxMemPerCPU", "MaxMemPerNode", "MaxNodeCount",
	"MaxStepCount", "MaxTasksPerNode", "MCSParameters", "MCSPlugin", "MessageTimeout",
	"MetricsAuthUsers", "MetricsParameters", "MetricsType", "MinJobAge", "MpiDefault",
	"MpiParams", "NamespaceType", "NodeFeaturesPlugins", "NodeName", "NodeSet",
	"OverTimeLimit", "PartitionName", "PluginDir", "PlugStackConfig", "PowerAction",
	"PowerParameters", "PowerPlugin", "PreemptExemptTime", "PreemptMode",
	"PreemptParameters", "PreemptType", "PrEpParameters", "PrEpPlugins",
	"PriorityCalcPeriod", "PriorityDecayHalfLife", "PriorityFavorSmall", "PriorityFlags",
	"PriorityMaxAge", "PriorityParameters", "PrioritySiteFactorParameters",
	"PrioritySiteFactorPlugin", "PriorityType", "PriorityUsageResetPeriod",
	"PriorityWeightAge", "PriorityWeightAssoc", "PriorityWeightFairshare",
	"PriorityWeightJobSize", "PriorityWeightPartition", "PriorityWeightQOS",
	"PriorityWeightTRES", "PrivateData", "ProctrackType", "Prolog", "PrologEpilogTimeout",
	"PrologFlags", "PrologSlurmctld", "PrologTimeout", "PropagatePrioProcess",
	"PropagateResourceLimits", "PropagateResourceLimitsExcept", "RebootProgram",
	"ReconfigFlags", "RequeueExit", "RequeueExitHold", "ResumeFailProgram", "ResumeProgram",
	"ResumeRate", "ResumeTimeout", "ResvEpilog", "ResvOverRun", "ResvProlog",
	"ReturnToService", "RoutePlugin", "SallocDefaultCommand", "SbcastParameters",
	"SchedulerAuth", "SchedulerParameters", "SchedulerTimeSlice", "SchedulerType",
	"ScronParameters", "SelectType", "SelectTypeParameters", "SerializerParameters",
	"SerializerPlugins", "SlurmctldAddr", "SlurmctldDebug", "SlurmctldHost",
	"SlurmctldHttpAuthParameters", "SlurmctldLogFile", "SlurmctldParameters",
	"SlurmctldPidFile", "SlurmctldPlugstack", "SlurmctldPort", "SlurmctldPrimaryOffProg",
	"SlurmctldPrimaryOnProg", "SlurmctldSyslogDebug", "SlurmctldTimeout", "SlurmdDebug",
	"SlurmdHttpAuthParameters", "SlurmdLogFile", "SlurmdParameters", "SlurmdPidFile",
	"SlurmdPort", "SlurmdSpoolDir", "SlurmdSyslogDebug", "SlurmdTimeout", "SlurmdUser",
	"SlurmrestdHttpAuthParameters", "SlurmrestdParameters", "SlurmSchedLogFile",
	"SlurmSchedLogLevel", "SlurmstepdParameters", "SlurmUser", "SrunEpilog",
	"SrunPortRange", "SrunProlog", "StateSaveLocation", "SuspendExcNodes",
	"SuspendExcParts", "SuspendExcStates", "SuspendProgram", "SuspendRate", "SuspendTime",
	"SuspendTimeout", "SwitchParameters", "SwitchType", "TaskEpilog", "TaskPlugin",
	"TaskPluginParam", "TaskProlog", "TCPTimeout", "TLSParameters", "TLSType", "TmpFS",
	"TopologyParam", "TopologyPlugin", "TrackWCKey", "TreeWidth", "UnkillableStepProgram",
	"UnkillableStepTimeout", "UrlParserType", "UsePAM", "VSizeFactor", "WaitTime",
	"X11Parameters", NULL
};

const char *const slurm_repeated_keys[] = {
	"DownNodes", "Epilog", "EpilogSlurmctld", "FrontendName", "NodeName", "NodeSet",
	"PartitionName", "PowerAction", "Prolog", "PrologSlurmctld", "SlurmctldHost", NULL
};

/* Keys on lines that begin with PartitionName. */
static const char *const partition_keys[] = {
	"AllocNodes", "AllowAccounts", "AllowGroups", "AllowQos", "Alternate", "CpuBind",
	"Default", "DefaultTime", "DefCPUPerGPU", "DefMemPerCPU", "DefMemPerGPU",
	"DefMemPerNode", "DenyAccounts", "DenyQos", "DisableRootJobs", "Exclusive",
	"ExclusiveTopo", "ExclusiveUser", "GraceTime", "Hidden", "LLN", "MaxCPUsPerNode",
	"MaxCPUsPerSocket", "MaxMemPerCPU", "MaxMemPerNode", "MaxNodes", "MaxTime", "MinNodes",
	"Nodes", "OverSubscribe", "OverTimeLimit", "PartitionName", "PowerDownOnIdle",
	"PreemptMode", "Priority", "PriorityJobFactor", "PriorityTier", "QOS", "ReqResv",
	"ResumeTimeout", "RootOnly", "SelectTypeParameters", "Shared", "State", "SuspendTime",
	"SuspendTimeout", "Topology", "TRESBillingWeights", NULL
};

/* Keys on lines that begin with NodeName. */
static const char *const node_keys[] = {
	"BcastAddr", "Boards", "CoreSpecCount", "CoresPerSocket", "CpuBind", "CPUs",
	"CPUSpecList", "Feature", "Features", "Gres", "GresConf", "MemSpecLimit", "NodeAddr",
	"NodeHostname", "NodeName", "Parameters", "Port", "Procs", "RealMemory", "Reason",
	"RestrictedCoresPerGPU", "Sockets", "SocketsPerBoard", "State", "SuspendTime",
	"ThreadsPerCore", "TmpDisk", "Topology", "TRESWeights", "Weight", NULL
};

bool slurm_key_is_in(const char *const *keys, const char *key)
{
	while (*keys && strcasecmp(*keys, key))
		keys++;
	return *keys;
}

const char *const *slurm_line_keys(const char *first)
{
	if (!strcasecmp(first, "PartitionName"))
		return partition_keys;
	return strcasecmp(first, "NodeName") ? NULL : node_keys;
}
