// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Formats that every part shares. docs/reference/formats.md and docs/reference/registers.md explain
// them; include/muster/fabric/formats.hpp mirrors the constants and a test compares the two.
// A design uses some of these constants, never all: the rest are for other modules and for C++.
/* verilator lint_off UNUSEDPARAM */
package muster_pkg;

  // Kind of a flit: {sync, head, tail}.
  localparam int unsigned KindW = 3;
  localparam int unsigned KindTail = 0;
  localparam int unsigned KindHead = 1;
  localparam int unsigned KindSync = 2;

  // Head flit of a packet.
  localparam int unsigned DestW = 11;
  // Where flits have the bits of a destination above these, as many as FlitW reaches.
  localparam int unsigned DestHighAt = 16;
  localparam int unsigned OpcodeW = 5;
  localparam int unsigned OpcodeData = 0;
  localparam int unsigned OpcodeArrival = 8;
  localparam int unsigned OpcodeRelease = 9;
  localparam int unsigned OpcodeWorm = 10;
  localparam int unsigned OpcodeRequest = 1;
  localparam int unsigned OpcodeAnswer = 2;
  localparam int unsigned OpcodeGroup = 3;
  localparam int unsigned OpcodeNic = 16;
  // The cut mark ends a packet that is not whole: head and tail bit, this opcode, zeros.
  localparam int unsigned OpcodeCut = 31;
  localparam logic [KindW-1:0] KindCut = 3'b011;
  localparam logic [15:0] CutWord = 16'hf800;

  // Register packets: every flit carries a word.
  localparam int unsigned AgentWordW = 16;
  localparam int unsigned RequestFlits = 7;
  localparam int unsigned AnswerFlits = 5;
  localparam logic [2:0] StatusDone = 3'd0;
  localparam logic [2:0] StatusDiffers = 3'd1;
  localparam logic [2:0] StatusNoPermit = 3'd2;
  localparam logic [2:0] StatusNotWritable = 3'd3;
  localparam logic [2:0] StatusBusy = 3'd4;

  // Packets of the NIC barrier engine: words of 16 bits, docs/systems/nic-engine.md.
  localparam int unsigned NicFlits = 5;
  localparam int unsigned NicTypeW = 3;
  localparam int unsigned NicSlotW = 5;
  localparam int unsigned NicGroupW = 8;
  localparam int unsigned NicSeqW = 8;
  localparam logic [2:0] NicStep = 3'd0;
  localparam logic [2:0] NicNack = 3'd1;
  localparam logic [2:0] NicNotYet = 3'd2;
  localparam logic [2:0] NicAck = 3'd3;
  localparam logic [2:0] NicData = 3'd4;
  localparam int unsigned NicMessageW = 43;
  localparam int unsigned NicEntryW = 23;

  // A message between two NICs, NicMessageW bits: `peer` is its source where it was received, its
  // destination where it is sent.
  typedef struct packed {
    logic [2:0]  kind;
    logic [10:0] peer;
    logic [4:0]  slot;
    logic [7:0]  group;
    logic [7:0]  packet;
    logic [7:0]  barrier;
  } nic_message_t;

  // An entry of a step list, NicEntryW bits.
  typedef struct packed {
    logic        send;
    logic        last;
    logic [4:0]  next;
    logic [4:0]  slot;
    logic [10:0] peer;
  } nic_entry_t;

  // An event of the event unit and the descriptor that it fires, NicEventW bits.
  localparam int unsigned NicEventW = 27;
  localparam int unsigned NicCountW = 4;
  typedef struct packed {
    logic        write;
    logic        last;
    logic [3:0]  need;
    logic [4:0]  next;
    logic [4:0]  slot;
    logic [10:0] peer;
  } nic_event_t;

  // A barrier message takes so many bits at most, the low ones of a wider flit.
  localparam int unsigned MsgMostW = 80;
  // Type field of a barrier message (BTIN section 3.2, Figure 5).
  localparam int unsigned MsgTypeW = 2;
  localparam logic [1:0] MsgReduction = 2'd0;
  localparam logic [1:0] MsgDistribution = 2'd1;
  localparam logic [1:0] MsgSpillPlace = 2'd2;
  localparam logic [1:0] MsgSpillData = 2'd3;
  // Data of a spill place: {type, port}.
  localparam int unsigned SpillPlaceW = 5;

  // Fields before the data with Retry: {phase, fail, epoch}.
  localparam int unsigned RetryW = 4;

  // Barrier messages of the preempting switches (docs/systems/bsr-tree.md, Messages): the 16 bits
  // of flits 2, 1 and 0.
  typedef struct packed {
    logic [1:0]  bnt;
    logic        refused;
    logic [1:0]  spare;
    logic [10:0] new_node;
    logic [4:0]  source_low;
    logic [10:0] dest;
    logic [1:0]  kind;
    logic [7:0]  gid;
    logic [5:0]  source_high;
  } bsr_message_t;
  localparam int unsigned BsrFlits = 3;
  localparam int unsigned BsrFlitW = 16;
  // Bits of a message in each of its flits: as many as make the fewest flits.
  function automatic int unsigned bsr_word_w(input int unsigned flit_w);
    bsr_word_w = (flit_w >= BsrFlits * BsrFlitW) ? BsrFlits * BsrFlitW
                 : (flit_w >= 2 * BsrFlitW) ? 2 * BsrFlitW
                 : (2 * flit_w >= BsrFlits * BsrFlitW) ? BsrFlits * BsrFlitW / 2 : BsrFlitW;
  endfunction
  // Flits of a first message, and of a later one, which is also where the destination ends.
  function automatic int unsigned bsr_first_flits(input int unsigned word_w);
    bsr_first_flits = (BsrFlits * BsrFlitW + word_w - 1) / word_w;
  endfunction
  function automatic int unsigned bsr_later_flits(input int unsigned word_w);
    bsr_later_flits = (2 * BsrFlitW + word_w - 1) / word_w;
  endfunction
  localparam int unsigned BsrGidW = 8;
  localparam logic [1:0] BsrReduction = 2'd0;
  localparam logic [1:0] BsrDistribution = 2'd1;
  localparam logic [1:0] BsrFirst = 2'd2;
  localparam logic [1:0] BntSource = 2'd0;
  localparam logic [1:0] BntNewNode = 2'd1;
  localparam logic [1:0] BntNothing = 2'd2;
  localparam logic [1:0] BntFree = 2'd3;
  // Kinds of what is not data on their links, {sync, head, tail}: a flit of a message, its first
  // one, a pad, a padding request or end.
  localparam logic [2:0] KindMessage = 3'd4;
  localparam logic [2:0] KindFirst = 3'd5;
  localparam logic [2:0] KindPad = 3'd6;
  localparam logic [2:0] KindControl = 3'd7;
  // A padding request or end: operation in bits 15..14, channel in bits 1..0.
  localparam logic [1:0] PadRequest = 2'd0;
  localparam logic [1:0] PadEnd = 2'd1;

  // Bits of a label: the index of a barrier register.
  localparam int unsigned LabelW = 4;

  // What muster_barrier_unit and muster_serial_unit show of a register, above its group and child
  // mask.
  localparam int unsigned RegisterFlagsW = 9;
  typedef struct packed {
    logic        valid;
    logic        turn;
    logic        claimed;
    logic [5:0]  parent;
  } register_flags_t;

  // Register map of a switch: word addresses of 12 bits, of 17 with more than 2048 destinations.
  localparam int unsigned RegAddrW = 12;
  localparam int unsigned RegWideAddrW = 17;
  localparam int unsigned RegDataW = 32;

  // registers, written by scripts/registers from rdl/

  localparam logic [7:0] KindBarrierSwitch = 8'd1;
  localparam logic [7:0] KindMulticastSwitch = 8'd2;
  localparam logic [7:0] KindBsr1Switch = 8'd3;
  localparam logic [7:0] KindBsr2Switch = 8'd4;
  localparam logic [7:0] KindBsr3Switch = 8'd5;
  localparam logic [7:0] KindNicEngine = 8'd6;
  localparam logic [7:0] KindUnitSwitch = 8'd7;
  localparam logic [7:0] KindLinkEnd = 8'd8;
  localparam logic [7:0] KindAxisEndpoint = 8'd9;

  localparam logic [1:0] RefusalGroupInUse = 2'd0;
  localparam logic [1:0] RefusalParentIsChild = 2'd1;
  localparam logic [1:0] RefusalSpillPorts = 2'd2;
  localparam logic [1:0] RefusalForeignGroup = 2'd3;

  // barrier switch: rdl/barrier_switch.rdl.
  localparam logic [11:0] RegIdentity = 12'h000;
  localparam logic [11:0] RegSizes = 12'h001;
  localparam logic [11:0] RegWidths = 12'h002;
  localparam logic [11:0] RegNoRouteDrops = 12'h004;
  localparam logic [11:0] RegHold = 12'h006;
  localparam logic [11:0] RegUpperRoute = 12'h008;
  localparam logic [11:0] RegPermits = 12'h00A;
  localparam logic [11:0] RegSpill = 12'h00C;
  localparam logic [11:0] RegIrqEnable = 12'h00E;
  localparam logic [11:0] RegIrqCauses = 12'h00F;
  localparam logic [11:0] RegDrops = 12'h010;
  localparam logic [11:0] RegPeriods = 12'h011;
  localparam logic [11:0] RegRefusals = 12'h012;
  localparam logic [11:0] RegOverflows = 12'h013;
  localparam logic [11:0] RegPatience = 12'h014;
  localparam logic [11:0] RegGivenUp = 12'h015;
  localparam logic [11:0] RegAgentDrops = 12'h020;
  localparam logic [11:0] RegGroupPermits = 12'h040;
  localparam logic [11:0] RegBarrier = 12'h100;
  localparam logic [11:0] RegBarrierControl = 12'h100;
  localparam logic [11:0] RegBarrierState = 12'h101;
  localparam logic [11:0] RegBarrierCommand = 12'h101;
  localparam logic [11:0] RegBarrierChildren = 12'h102;
  localparam logic [11:0] RegBarrierArrived = 12'h104;
  localparam logic [11:0] RegBarrierServe = 12'h106;
  localparam logic [11:0] RegBarrierFolding = 12'h108;
  localparam logic [11:0] RegBarrierStraggler = 12'h10A;
  localparam logic [11:0] RegBarrierLabels = 12'h10C;
  localparam logic [11:0] RegBarrierUpperLabels = 12'h10D;
  localparam logic [11:0] RegPorts = 12'h200;
  localparam logic [11:0] RegPortsFlits = 12'h200;
  localparam logic [11:0] RegPortsStalls = 12'h201;
  localparam logic [11:0] RegPortsLosses = 12'h202;
  localparam logic [11:0] RegRoutes = 12'h800;
  localparam logic [15:0] RegIdentityMagic = 16'h4D53;
  localparam logic [7:0] RegIdentityVersion = 8'h7;
  localparam logic [31:0] RegIrqEnableReset = 32'h00000008;

  typedef struct packed {
    logic [15:0] magic;
    logic [7:0]  kind;
    logic [7:0]  version;
  } identity_t;

  typedef struct packed {
    logic [7:0]  regs;
    logic [7:0]  depth;
    logic [7:0]  vcs;
    logic [7:0]  ports;
  } sizes_t;

  typedef struct packed {
    logic [15:0] dests;
    logic [5:0]  gid_w;
    logic [9:0]  flit_w;
  } widths_t;

  typedef struct packed {
    logic        sweeping;
    logic [6:0]  spare_24;
    logic [7:0]  headless;
    logic [15:0] count;
  } no_route_drops_t;

  typedef struct packed {
    logic [26:0] spare_5;
    logic        damage;
    logic        suspects;
    logic [2:0]  causes;
  } irq_enable_t;

  typedef struct packed {
    logic [26:0] spare_5;
    logic        damage;
    logic        spare_3;
    logic        overflows;
    logic        refusals;
    logic        drops;
  } irq_causes_t;

  typedef struct packed {
    logic [7:0]  count;
    logic [1:0]  spare_22;
    logic [5:0]  port;
    logic        spare_15;
    logic        known;
    logic [1:0]  what;
    logic [11:0] gid;
  } drops_t;

  typedef struct packed {
    logic [7:0]  spare_24;
    logic [7:0]  age;
    logic [15:0] repetition;
  } periods_t;

  typedef struct packed {
    logic [7:0]  count;
    logic [1:0]  spare_22;
    logic [5:0]  port;
    logic        spare_15;
    logic        host;
    logic [1:0]  reason;
    logic [7:0]  spare_4;
    logic [3:0]  slot;
  } refusals_t;

  typedef struct packed {
    logic [7:0]  count;
    logic [1:0]  spare_22;
    logic [5:0]  port;
    logic        spare_15;
    logic        sync;
    logic [1:0]  vc;
    logic [11:0] spare_0;
  } overflows_t;

  typedef struct packed {
    logic [23:0] spare_8;
    logic [3:0]  spill;
    logic [3:0]  agent;
  } patience_t;

  typedef struct packed {
    logic [7:0]  count;
    logic [1:0]  spare_22;
    logic [5:0]  port;
    logic        spare_15;
    logic        answer;
    logic        spare_13;
    logic        what;
    logic [11:0] gid;
  } given_up_t;

  typedef struct packed {
    logic [7:0]  count;
    logic [1:0]  spare_22;
    logic [5:0]  port;
    logic [1:0]  spare_14;
    logic [1:0]  what;
    logic [11:0] spare_0;
  } agent_drops_t;

  typedef struct packed {
    logic [3:0]  spare_28;
    logic [11:0] mask;
    logic [3:0]  spare_12;
    logic [11:0] value;
  } group_permits_t;

  typedef struct packed {
    logic        valid;
    logic        turn;
    logic        claimed;
    logic [2:0]  op;
    logic [1:0]  epoch;
    logic [1:0]  spare_22;
    logic [5:0]  parent;
    logic [3:0]  spare_12;
    logic [11:0] gid;
  } barrier_control_t;

  typedef struct packed {
    logic [23:0] spare_8;
    logic [3:0]  age;
    logic        suspect;
    logic        failed;
    logic        phase;
    logic        sent;
  } barrier_state_t;

  typedef struct packed {
    logic [28:0] spare_3;
    logic        aborts;
    logic [1:0]  spare_0;
  } barrier_command_t;

  typedef struct packed {
    logic        known;
    logic [8:0]  spare_22;
    logic [5:0]  port;
    logic [15:0] cycles;
  } barrier_straggler_t;

  typedef struct packed {
    logic        own;
    logic [30:0] ports;
  } routes_t;

  // window on a group in block RAM: rdl/group_window.rdl.
  localparam logic [11:0] RegWindowControl = 12'h100;
  localparam logic [11:0] RegWindowState = 12'h101;
  localparam logic [11:0] RegWindowChildren = 12'h102;
  localparam logic [11:0] RegWindowArrived = 12'h104;
  localparam logic [11:0] RegWindowServe = 12'h106;
  localparam logic [11:0] RegWindowSelect = 12'h110;
  localparam logic [11:0] RegWindowGroups = 12'h111;

  typedef struct packed {
    logic        valid;
    logic        turn;
    logic        claimed;
    logic [2:0]  op;
    logic [3:0]  spare_22;
    logic [5:0]  parent;
    logic [3:0]  spare_12;
    logic [11:0] gid;
  } window_control_t;

  typedef struct packed {
    logic [29:0] spare_2;
    logic        waits;
    logic        sent;
  } window_state_t;

  typedef struct packed {
    logic        clearing;
    logic [18:0] spare_12;
    logic [11:0] gid;
  } window_select_t;

  // preempting switch: rdl/preempting_switch.rdl.
  localparam logic [11:0] RegAddress = 12'h005;
  localparam logic [11:0] RegPolicy = 12'h010;
  localparam logic [11:0] RegTimes = 12'h011;
  localparam logic [11:0] RegLfsr = 12'h012;
  localparam logic [11:0] RegLongestWait = 12'h013;
  localparam logic [11:0] RegClosed = 12'h014;
  localparam logic [11:0] RegPortDrops = 12'h040;
  localparam logic [11:0] RegEntries = 12'h100;
  localparam logic [11:0] RegEntriesControl = 12'h100;
  localparam logic [11:0] RegEntriesWays = 12'h101;
  localparam logic [11:0] RegEntriesChildren = 12'h102;
  localparam logic [11:0] RegEntriesArrived = 12'h104;
  localparam logic [11:0] RegEntriesServe = 12'h106;
  localparam logic [11:0] RegEntriesLocals = 12'h108;
  localparam logic [11:0] RegAddresses = 12'h400;
  localparam logic [11:0] RegAddressesChild = 12'h400;
  localparam logic [31:0] RegTimesReset = 32'h01000210;
  localparam logic [31:0] RegLfsrReset = 32'h00000001;

  typedef struct packed {
    logic [29:0] spare_2;
    logic        unpadded;
    logic        random;
  } bsr_policy_t;

  typedef struct packed {
    logic [15:0] longest;
    logic [7:0]  gap;
    logic [7:0]  idle;
  } bsr_times_t;

  typedef struct packed {
    logic [7:0]  out_of_phase;
    logic [7:0]  wrong_source;
    logic [7:0]  unknown_group;
    logic [7:0]  malformed;
  } bsr_port_drops_t;

  typedef struct packed {
    logic        valid;
    logic        center;
    logic        tree;
    logic        branch;
    logic        sent;
    logic        tidy;
    logic        refused;
    logic [5:0]  spare_19;
    logic [10:0] count;
    logic [7:0]  gid;
  } bsr_entries_control_t;

  typedef struct packed {
    logic [15:0] center;
    logic [15:0] parent;
  } bsr_entries_ways_t;

  // link end: rdl/link_end.rdl.
  localparam logic [11:0] LinkRegStatus = 12'h001;
  localparam logic [11:0] LinkRegCommand = 12'h001;
  localparam logic [11:0] LinkRegWidths = 12'h002;

  typedef struct packed {
    logic [7:0]  lost;
    logic [7:0]  rejected;
    logic [7:0]  replays;
    logic        spare_7;
    logic        restart;
    logic        drained;
    logic [2:0]  reason;
    logic [1:0]  state;
  } link_status_t;

  typedef struct packed {
    logic [28:0] spare_3;
    logic        clear;
    logic        kill;
    logic        restart;
  } link_command_t;

  typedef struct packed {
    logic [3:0]  retries;
    logic [7:0]  timeout;
    logic [7:0]  slots;
    logic        pocket;
    logic [4:0]  depth;
    logic [2:0]  vcs;
    logic        lossy;
    logic [1:0]  spare_0;
  } link_widths_t;

  // NIC barrier engine: rdl/nic_engine.rdl.
  localparam logic [11:0] NicRegIdentity = 12'h000;
  localparam logic [11:0] NicRegSizes = 12'h001;
  localparam logic [11:0] NicRegWidths = 12'h002;
  localparam logic [11:0] NicRegAddress = 12'h003;
  localparam logic [11:0] NicRegTimes = 12'h004;
  localparam logic [11:0] NicRegQuiet = 12'h005;
  localparam logic [11:0] NicRegSend = 12'h006;
  localparam logic [11:0] NicRegDrops = 12'h008;
  localparam logic [11:0] NicRegRefused = 12'h009;
  localparam logic [11:0] NicRegContexts = 12'h040;
  localparam logic [11:0] NicRegContextsControl = 12'h040;
  localparam logic [11:0] NicRegContextsDoorbell = 12'h041;
  localparam logic [11:0] NicRegContextsReceived = 12'h042;
  localparam logic [11:0] NicRegContextsSent = 12'h043;
  localparam logic [11:0] NicRegConnections = 12'h080;
  localparam logic [11:0] NicRegLists = 12'h400;
  localparam logic [11:0] NicRegListsEntry = 12'h400;
  localparam logic [15:0] NicRegIdentityMagic = 16'h4D53;
  localparam logic [7:0] NicRegIdentityVersion = 8'h2;

  typedef struct packed {
    logic        chained;
    logic [2:0]  spare_28;
    logic [3:0]  contexts;
    logic [7:0]  steps;
    logic [7:0]  conns;
    logic [7:0]  records;
  } nic_sizes_t;

  typedef struct packed {
    logic [7:0]  vcs;
    logic [7:0]  depth;
    logic [7:0]  seq_w;
    logic [7:0]  flit_w;
  } nic_widths_t;

  typedef struct packed {
    logic [17:0] spare_14;
    logic [1:0]  channel;
    logic        spare_11;
    logic [10:0] node;
  } nic_address_t;

  typedef struct packed {
    logic [11:0] gap;
    logic [3:0]  retries;
    logic [15:0] timeout;
  } nic_times_t;

  typedef struct packed {
    logic [10:0] peer;
    logic [4:0]  slot;
    logic [7:0]  gid;
    logic [7:0]  barrier;
  } nic_send_t;

  typedef struct packed {
    logic [7:0]  limited;
    logic [7:0]  stale;
    logic [7:0]  unknown;
    logic [7:0]  malformed;
  } nic_drops_t;

  typedef struct packed {
    logic        valid;
    logic        direct;
    logic [1:0]  phase;
    logic        past;
    logic        spare_26;
    logic [1:0]  notice;
    logic [2:0]  spare_21;
    logic [4:0]  pc;
    logic [7:0]  gid;
    logic [7:0]  seq;
  } nic_contexts_control_t;

  typedef struct packed {
    logic [29:0] spare_2;
    logic        releases;
    logic        starts;
  } nic_contexts_doorbell_t;

  typedef struct packed {
    logic        valid;
    logic        dead;
    logic        busy;
    logic [1:0]  tokens;
    logic [15:0] spare_11;
    logic [10:0] peer;
  } nic_connections_t;

  typedef struct packed {
    logic        send;
    logic        last;
    logic        spare_29;
    logic [4:0]  next;
    logic [2:0]  spare_21;
    logic [4:0]  slot;
    logic [4:0]  spare_11;
    logic [10:0] peer;
  } nic_lists_entry_t;

  // events of a NIC engine with Chained: rdl/nic_events.rdl.
  localparam logic [11:0] NicRegEvents = 12'h400;
  localparam logic [11:0] NicRegEventsWord = 12'h400;

  typedef struct packed {
    logic        write;
    logic        last;
    logic [3:0]  need;
    logic [4:0]  next;
    logic [4:0]  slot;
    logic [4:0]  spare_11;
    logic [10:0] peer;
  } nic_events_word_t;

  // endpoint: rdl/endpoint.rdl.
  localparam logic [11:0] EndpointRegSizes = 12'h001;
  localparam logic [11:0] EndpointRegWidths = 12'h002;
  localparam logic [11:0] EndpointRegSummary = 12'h003;
  localparam logic [11:0] EndpointRegAddress = 12'h008;
  localparam logic [11:0] EndpointRegDrops = 12'h010;
  localparam logic [11:0] EndpointRegStreamDrops = 12'h011;
  localparam logic [11:0] EndpointRegGroups = 12'h040;
  localparam logic [11:0] EndpointRegGroupsControl = 12'h040;
  localparam logic [11:0] EndpointRegGroupsArrive = 12'h041;
  localparam logic [11:0] EndpointRegGroupsStatus = 12'h042;
  localparam logic [11:0] EndpointRegGroupsResult = 12'h043;
  localparam logic [11:0] EndpointRegGroupsOperand1 = 12'h044;
  localparam logic [11:0] EndpointRegGroupsOperand2 = 12'h045;
  localparam logic [11:0] EndpointRegGroupsResult1 = 12'h046;
  localparam logic [11:0] EndpointRegGroupsResult2 = 12'h047;
  localparam logic [7:0] EndpointRegSizesPorts = 8'h1;

  typedef struct packed {
    logic [7:0]  groups;
    logic [7:0]  depth;
    logic [7:0]  vcs;
    logic [7:0]  ports;
  } endpoint_sizes_t;

  typedef struct packed {
    logic [15:0] data_w;
    logic [5:0]  gid_w;
    logic [9:0]  flit_w;
  } endpoint_widths_t;

  typedef struct packed {
    logic [15:0] spare_16;
    logic [7:0]  waiting;
    logic [7:0]  released;
  } endpoint_summary_t;

  typedef struct packed {
    logic        check;
    logic [14:0] spare_16;
    logic [15:0] node;
  } endpoint_address_t;

  typedef struct packed {
    logic [7:0]  messages;
    logic [7:0]  arrivals;
    logic [7:0]  packets;
    logic [7:0]  flits;
  } endpoint_drops_t;

  typedef struct packed {
    logic [7:0]  controls;
    logic [7:0]  cut;
    logic [7:0]  aborted;
    logic [7:0]  illegal;
  } endpoint_stream_drops_t;

  typedef struct packed {
    logic        member;
    logic        irq;
    logic [17:0] spare_12;
    logic [11:0] gid;
  } endpoint_groups_control_t;

  typedef struct packed {
    logic [15:0] count;
    logic [5:0]  spare_10;
    logic        rewritten;
    logic        abandon;
    logic [2:0]  spare_5;
    logic        draining;
    logic        control_refused;
    logic        refused;
    logic        released;
    logic        waiting;
  } endpoint_groups_status_t;

  // end of registers

  // A flit of this kind with this opcode is a cut mark, which is no head.
  function automatic logic is_cut(input logic [KindW-1:0] kind, input logic [OpcodeW-1:0] opcode);
    is_cut = kind == KindCut && opcode == OpcodeW'(OpcodeCut);
  endfunction

endpackage
/* verilator lint_on UNUSEDPARAM */

`default_nettype wire
