// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The effect of a message on its group: the rules of docs/systems/many-groups.md. Combinational;
// inputs are the states before the message, outputs those after it.
//
// `waits_i`: a message of this group waits for outputs. While all children have arrived it is the
// reduction to the parent, else the distribution to the children; of a distribution serve_o has the
// children that it has not left for.
module muster_group_rules #(
  /// ports of the switch, 3 to 32
  parameter int unsigned Ports = 8,
  /// bits of synchronization data, 2 to 74
  parameter int unsigned DataW = 6,
  localparam int unsigned ParentW = $clog2(Ports + 1)
) (
  /// the group, as the host wrote it
  input  wire logic               valid_i,
  input  wire logic               turn_i,
  input  wire logic [2:0]         op_i,
  input  wire logic [ParentW-1:0] parent_i,
  input  wire logic [Ports-1:0]   children_i,
  /// those that have arrived, and what their data make together, if there are any
  input  wire logic [Ports-1:0]   arrived_i,
  input  wire logic [DataW-1:0]   data_i,
  /// its message that waits: there is one; it is first in the queue, and has these ports to go
  input  wire logic               waits_i,
  input  wire logic               first_i,
  input  wire logic [Ports-1:0]   first_ports_i,

  /// for the host: children still to be served; the reduction message has left
  output logic [Ports-1:0]        serve_o,
  output logic                    sent_o,

  /// a message comes from this port, one-hot, or none: a distribution or a reduction, its data
  input  wire logic [Ports-1:0]   port_i,
  input  wire logic               distribution_i,
  input  wire logic [DataW-1:0]   msg_data_i,
  /// it is dropped, for this reason
  output logic                    unknown_o,
  output logic                    refused_o,
  /// what it leaves behind
  output logic [Ports-1:0]        arrived_o,
  output logic [DataW-1:0]        data_o,
  /// it makes a message for these ports, a distribution or a reduction; if so, no other waits
  output logic                    sends_o,
  output logic [Ports-1:0]        sends_ports_o,
  output logic                    sends_distribution_o,
  output logic [DataW-1:0]        sends_data_o
);
  `MUSTER_RANGE(Ports, 3, 32)
  `MUSTER_RANGE(DataW, 2, 74)

  logic [Ports-1:0] parent_port, from;
  logic comes, full, last, right_port, in_phase, accepted, arrives, releases, asks;
  logic [DataW-1:0] combined;
  assign comes = port_i != '0;
  assign parent_port = turn_i ? '0 : Ports'(64'd1 << parent_i);
  assign full = (children_i != '0) && (arrived_i == children_i);
  assign sent_o = full && !waits_i && (parent_port != '0);
  assign serve_o = (waits_i && !full) ? (first_i ? first_ports_i : children_i) : '0;

  // The last arrival of a barrier finds all children served, and so no message that waits, unless
  // the host has written the group while one did.
  assign from = distribution_i ? parent_port : children_i;
  assign last = ((children_i & ~arrived_i) == port_i) && !distribution_i;
  assign right_port = (port_i & from) != '0;
  assign in_phase = distribution_i ? sent_o
                                   : (port_i & (arrived_i | serve_o)) == '0 && !(last && waits_i);
  assign accepted = comes && valid_i && right_port && in_phase;
  assign unknown_o = comes && !valid_i;
  assign refused_o = comes && valid_i && !(right_port && in_phase);

  muster_data_combine #(.DataW(DataW)) combine (
    .op_i,
    .first_i(arrived_i == '0),
    .so_far_i(data_i),
    .data_i(msg_data_i),
    .data_o(combined)
  );

  assign arrives = accepted && !distribution_i;
  assign releases = accepted && (distribution_i || (last && turn_i));
  assign asks = arrives && last && (parent_port != '0);
  assign arrived_o = releases ? '0 : arrived_i | (arrives ? port_i : '0);
  assign data_o = arrives ? combined : data_i;
  assign sends_o = releases || asks;
  assign sends_ports_o = releases ? children_i : parent_port;
  assign sends_distribution_o = releases;
  assign sends_data_o = distribution_i ? msg_data_i : combined;

endmodule

`default_nettype wire
