// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Two nodes on a switch, each behind a link that retries, with flits of 80 and of 512 bits side by
// side: the width is to change nothing but the bits of data. Those of a beat follow from its low
// 16, so the low 80 are the same.
module wide_flits (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,

  /// beats of node n: the low bits; the bits of a frame from node n, and to it, that are flipped
  input  wire logic [1:0]          valid_i,
  input  wire logic [1:0][15:0]    data_i,
  input  wire logic [1:0]          last_i,
  input  wire logic [1:0]          channel_i,
  output logic [1:0]               ready_o,
  input  wire logic [1:0]          take_i,
  input  wire logic [3:0]          flips_i,
  input  wire logic [1:0][9:0]     bit_i,

  /// register port of node 0, node 1, the switch; the word read at 80 bits, and at 512
  input  wire logic [2:0]          reg_valid_i,
  input  wire logic                reg_write_i,
  input  wire logic [11:0]         reg_addr_i,
  input  wire logic [31:0]         reg_wdata_i,
  output logic [1:0][31:0]         reg_rdata_o,

  /// node n is given a beat; a barrier is done at node n
  output logic [1:0]               beat_o,
  output logic [1:0][15:0]         data_o,
  output logic [1:0]               irq_o,
  /// the widths differ in what they do; the upper bits of a beat are wrong; a link is down
  output logic                     differs_o,
  output logic                     wrong_o,
  output logic                     down_o
);
  localparam int unsigned Seen = 2 * (5 + 16);
  logic [1:0][Seen-1:0] seen;
  logic [1:0] wrong, down;

  for (genvar w = 0; w < 2; w++) begin : gen_width
    localparam int unsigned FlitW = (w == 0) ? 80 : 512;
    localparam int unsigned BodyW = 6 + 2 * 5 + 2 * 3 + 1 + 3 + FlitW;
    localparam int unsigned FrameW = BodyW + 16 * ((BodyW + 134) / 135);
    localparam int unsigned LaneCount = FlitW / 16;

    logic [2:0] tx_valid, rx_valid;
    logic [2:0][0:0] tx_vc, rx_vc;
    logic [2:0][2:0] tx_kind, rx_kind;
    logic [2:0][FlitW-1:0] tx_payload, rx_payload;
    logic [2:0][1:0] tx_credit, rx_credit;
    logic [2:0][31:0] rdata;
    logic [1:0] ready, given, last, channel, irq, bad, dead;
    logic [1:0][15:0] low;

    muster_barrier_switch #(.Ports(3), .Vcs(2), .FlitW(FlitW), .Dests(16)) switch (
      .rx_valid_i(rx_valid),
      .rx_vc_i(rx_vc),
      .rx_kind_i(rx_kind),
      .rx_payload_i(rx_payload),
      .rx_credit_o(rx_credit),
      .tx_valid_o(tx_valid),
      .tx_vc_o(tx_vc),
      .tx_kind_o(tx_kind),
      .tx_payload_o(tx_payload),
      .tx_credit_i(tx_credit),
      .reg_valid_i(reg_valid_i[2]),
      .reg_rdata_o(rdata[2]),
      .irq_o(),
      .quiescent_o(),
      .*
    );
    assign {rx_valid[2], rx_vc[2], rx_kind[2], rx_payload[2], tx_credit[2]} = '0;

    for (genvar n = 0; n < 2; n++) begin : gen_node
      logic [1:0] out_valid, in_valid, sends, dead_end;
      logic [1:0][0:0] out_vc, in_vc;
      logic [1:0][2:0] out_kind, in_kind;
      logic [1:0][FlitW-1:0] out_payload, in_payload;
      logic [1:0][1:0] out_credit, in_credit;
      logic [1:0][FrameW-1:0] frame;
      logic [FlitW-1:0] beat, taken;
      logic [FrameW-1:0] flip;

      assign flip = (FrameW'(1) << (32'(bit_i[0]) % FrameW)) |
                    (FrameW'(1) << (32'(bit_i[1]) % FrameW));
      for (genvar l = 0; l < LaneCount; l++) begin : gen_lane
        assign beat[16*l+:16] = data_i[n] ^ 16'(l * 4099);
      end
      assign low[n] = taken[15:0];
      always_comb begin
        bad[n] = 1'b0;
        for (int unsigned l = 0; l < LaneCount; l++) begin
          if (taken[16*l+:16] != (low[n] ^ 16'(l * 4099))) bad[n] = given[n];
        end
      end

      muster_axis_endpoint #(.Vcs(2), .FlitW(FlitW), .Dests(16)) node (
        .s_axis_tvalid_i(valid_i[n]),
        .s_axis_tready_o(ready[n]),
        .s_axis_tdata_i(beat),
        .s_axis_tlast_i(last_i[n]),
        .s_axis_tid_i(channel_i[n]),
        .s_axis_tdest_i(16'(1 - n)),
        .s_axis_tuser_i('0),
        .m_axis_tvalid_o(given[n]),
        .m_axis_tready_i(take_i[n]),
        .m_axis_tdata_o(taken),
        .m_axis_tlast_o(last[n]),
        .m_axis_tid_o(channel[n]),
        .m_axis_tdest_o(),
        .m_axis_tuser_o(),
        .reg_valid_i(reg_valid_i[n]),
        .reg_rdata_o(rdata[n]),
        .tx_valid_o(in_valid[0]),
        .tx_vc_o(in_vc[0]),
        .tx_kind_o(in_kind[0]),
        .tx_payload_o(in_payload[0]),
        .tx_credit_i(in_credit[0]),
        .rx_valid_i(out_valid[0]),
        .rx_vc_i(out_vc[0]),
        .rx_kind_i(out_kind[0]),
        .rx_payload_i(out_payload[0]),
        .rx_credit_o(out_credit[0]),
        .irq_o(irq[n]),
        .quiescent_o(),
        .*
      );

      // The ends of the link: at the node, at the switch.
      assign {in_valid[1], in_vc[1], in_kind[1], in_payload[1]} =
             {tx_valid[n], tx_vc[n], tx_kind[n], tx_payload[n]};
      assign {rx_valid[n], rx_vc[n], rx_kind[n], rx_payload[n]} =
             {out_valid[1], out_vc[1], out_kind[1], out_payload[1]};
      assign tx_credit[n] = in_credit[1];
      assign out_credit[1] = rx_credit[n];
      assign dead[n] = dead_end != '0;
      for (genvar e = 0; e < 2; e++) begin : gen_end
        muster_link_end #(.Vcs(2), .FlitW(FlitW), .Retries(15)) link (
          .rx_valid_i(in_valid[e]),
          .rx_vc_i(in_vc[e]),
          .rx_kind_i(in_kind[e]),
          .rx_payload_i(in_payload[e]),
          .rx_credit_o(in_credit[e]),
          .tx_valid_o(out_valid[e]),
          .tx_vc_o(out_vc[e]),
          .tx_kind_o(out_kind[e]),
          .tx_payload_o(out_payload[e]),
          .tx_credit_i(out_credit[e]),
          .frame_valid_i(sends[1-e]),
          .frame_i(flips_i[2*(1-e)+n] ? frame[1-e] ^ flip : frame[1-e]),
          .frame_valid_o(sends[e]),
          .frame_o(frame[e]),
          .reg_valid_i(1'b0),
          .reg_rdata_o(),
          .irq_o(dead_end[e]),
          .quiescent_o(),
          .*
        );
      end
    end

    assign reg_rdata_o[w] = rdata[0] | rdata[1] | rdata[2];
    assign seen[w] = {ready, given, last & given, channel & given, irq, low[1] & {16{given[1]}},
                      low[0] & {16{given[0]}}};
    assign wrong[w] = bad != '0;
    assign down[w] = dead != '0;
    if (w == 0) begin : gen_shown
      assign ready_o = ready;
      assign beat_o = given & take_i;
      assign data_o = low;
      assign irq_o = irq;
    end
  end

  assign differs_o = seen[0] != seen[1];
  assign wrong_o = wrong != '0;
  assign down_o = down != '0;
endmodule

`default_nettype wire
