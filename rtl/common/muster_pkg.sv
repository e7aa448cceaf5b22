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

  // Register packets: every flit carries a word.
  localparam int unsigned AgentWordW = 16;
  localparam int unsigned RequestFlits = 7;
  localparam int unsigned AnswerFlits = 5;
  localparam logic [1:0] StatusDone = 2'd0;
  localparam logic [1:0] StatusDiffers = 2'd1;
  localparam logic [1:0] StatusNoPermit = 2'd2;
  localparam logic [1:0] StatusNotWritable = 2'd3;

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

  // Word 0 of a barrier register, as it is written and read (docs/reference/registers.md).
  typedef struct packed {
    logic        valid;
    logic        turn;
    logic        claimed;
    logic [2:0]  op;
    logic [1:0]  epoch;
    logic [3:0]  spare_high;
    logic [3:0]  parent;
    logic [3:0]  spare_low;
    logic [11:0] gid;
  } barrier_control_t;

  // What barrier_unit and serial_unit show of a register, above its group and child mask.
  localparam int unsigned RegisterFlagsW = 7;
  typedef struct packed {
    logic        valid;
    logic        turn;
    logic        claimed;
    logic [3:0]  parent;
  } register_flags_t;

  // Why a write is refused, in the record at RegRefusals.
  localparam logic [1:0] RefusedGroup = 2'd0;
  localparam logic [1:0] RefusedParent = 2'd1;
  localparam logic [1:0] RefusedSpill = 2'd2;
  localparam logic [1:0] RefusedForeign = 2'd3;

  // Register map of a switch: word addresses of 12 bits, of 17 with more than 2048 destinations.
  localparam int unsigned RegAddrW = 12;
  localparam int unsigned RegWideAddrW = 17;
  localparam int unsigned RegDataW = 32;
  localparam logic [15:0] RegMagic = 16'h4D53;
  localparam logic [7:0] RegMapVersion = 8'd5;
  localparam logic [7:0] KindBarrierSwitch = 8'd1;
  localparam logic [7:0] KindMulticastSwitch = 8'd2;
  localparam logic [7:0] KindBsr1Switch = 8'd3;
  localparam logic [7:0] KindBsr2Switch = 8'd4;
  localparam logic [7:0] KindBsr3Switch = 8'd5;
  localparam logic [7:0] KindNicEngine = 8'd6;
  localparam logic [7:0] KindLinkEnd = 8'd8;
  localparam logic [11:0] RegIdentity = 12'h000;
  localparam logic [11:0] RegSizes = 12'h001;
  localparam logic [11:0] RegWidths = 12'h002;
  localparam logic [11:0] RegLinkStatus = 12'h001;
  localparam logic [11:0] RegUnroutable = 12'h004;
  localparam logic [11:0] RegPermits = 12'h005;
  localparam logic [11:0] RegSpill = 12'h006;
  localparam logic [11:0] RegHold = 12'h007;
  localparam logic [11:0] RegAddress = 12'h008;
  localparam logic [11:0] RegPolicy = 12'h009;
  localparam logic [11:0] RegTimes = 12'h00A;
  localparam logic [11:0] RegRandom = 12'h00B;
  localparam logic [11:0] RegLongestWait = 12'h00C;
  localparam logic [11:0] RegClosed = 12'h00D;
  localparam logic [11:0] RegDrops = 12'h010;
  localparam logic [11:0] RegPeriods = 12'h011;
  localparam logic [11:0] RegRefusals = 12'h012;
  localparam logic [11:0] RegOverflows = 12'h013;
  localparam logic [11:0] RegPatience = 12'h014;
  localparam logic [11:0] RegGivenUp = 12'h015;
  localparam logic [11:0] RegAgentDrops = 12'h020;
  localparam logic [11:0] RegGroupPermits = 12'h030;
  localparam logic [11:0] RegBarrier = 12'h040;
  localparam logic [11:0] RegEntries = 12'h400;
  localparam logic [11:0] RegRoutes = 12'h800;

endpackage
/* verilator lint_on UNUSEDPARAM */

`default_nettype wire
