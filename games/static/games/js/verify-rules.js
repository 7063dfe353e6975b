/* The rules of Perudo, replayed from a ruleset's text (docs/rules.md; the numbers are the rules'). */
import { canonical, isBoolean, isText, oneOf, record, whole } from "./verify-form.js";

const isRuleset = record({
  name: isText,
  version: whole(1, 2 ** 31),
  start_dice: whole(1, 8),
  max_players: whole(2, 10),
  first_starter: oneOf("random", "roll_off", "declared"),
  raise_mode: oneOf("free", "one_way"),
  bid_cap: oneOf("none", "dice_at_start", "dice_in_play"),
  reveal: oneOf("all", "clockwise_early_stop"),
  dice_counts: oneOf("shown", "hidden"),
  palifico: record({
    enabled: isBoolean,
    trigger: oneOf("first_time", "every_drop_to_one"),
    two_players: isBoolean,
    face_change: oneOf("nobody", "one_die_players"),
  }),
  calza: record({
    enabled: isBoolean,
    two_players: isBoolean,
    in_palifico: isBoolean,
    needs_lost_die: isBoolean,
    window: oneOf("next_action", "grace", "turn_only"),
  }),
  covered_cups_after_game: oneOf("after_end", "never"),
});

/* Return the ruleset that a text holds, or null where it is not one in its canonical form. */
export function readRules(text) {
  try {
    const rules = JSON.parse(text);
    return isRuleset(rules) && canonical(rules) === text ? rules : null;
  } catch {
    return null;
  }
}

export function readBid(text) {
  const [quantity, face] = text.split("x").map(Number);
  return { quantity, face };
}

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/* A game, played event by event. Each method returns null, or the code of what the rules refuse. */
export class Replay {
  constructor(rules, seats, opener) {
    this.rules = rules;
    this.dice = Array(seats).fill(rules.start_dice);
    this.hasDropped = Array(seats).fill(false);
    this.number = 0;
    this.winner = null;
    this.#deal({ opener, mode: "normal", palificoBy: null });
  }

  #deal({ opener, mode, palificoBy }) {
    this.number += 1;
    Object.assign(this, { opener, mode, palificoBy });
    this.voidBids();
  }

  /* Begin the open round again, as after a restore. */
  voidBids() {
    Object.assign(this, { turn: this.opener, bid: null, bidder: null });
  }

  get inPlay() {
    return this.dice.flatMap((dice, seat) => (dice > 0 ? [seat] : []));
  }

  /* The seats still in, clockwise from `first`; `first` itself may be out. */
  #clockwise(first) {
    const seats = this.inPlay;
    return [...seats.filter((seat) => seat >= first), ...seats.filter((seat) => seat < first)];
  }

  /* all seats still in roll all their dice. */
  seal(payload) {
    if (this.winner !== null) return "V7.over";
    if (payload.round !== this.number) return "V7.round";
    const rolled = payload.cups.map(([seat, , leaves]) => `${seat}:${leaves.length}`).join();
    return rolled === this.inPlay.map((seat) => `${seat}:${this.dice[seat]}`).join()
      ? null
      : "V7.cups";
  }

  makeBid(payload) {
    if (this.winner !== null) return "V7.over";
    if (payload.seat !== this.turn) return "V7.turn";
    const bid = readBid(payload.bid);
    if (!this.#mayBid(bid)) return "V7.bid";
    this.bid = payload.bid;
    this.bidder = payload.seat;
    this.turn = this.#clockwise(payload.seat + 1)[0];
    return null;
  }

  get #cap() {
    if (this.rules.bid_cap === "dice_in_play") return sum(this.dice);
    if (this.rules.bid_cap === "dice_at_start") return this.rules.start_dice * this.dice.length;
    return Infinity;
  }

  /* Sections 2 and 4; R-27 makes one order of. */
  #mayBid(bid) {
    if (bid.quantity > this.#cap) return false; // R-28
    const isPalifico = this.mode === "palifico";
    if (this.bid === null) return isPalifico || bid.face !== 1;
    const over = readBid(this.bid);
    const rank = ({ quantity, face }) =>
      face === 1 && !isPalifico ? 10 * (2 * quantity + 1) + 1 : 10 * quantity + face;
    if (rank(bid) <= rank(over)) return false;
    const changes = bid.face !== over.face;
    const isLocked =
      this.rules.palifico.face_change === "nobody" || this.dice[this.turn] !== 1;
    if (isPalifico && changes && isLocked) return false;
    const numbers = isPalifico || (bid.face !== 1 && over.face !== 1);
    const isOneWay = this.rules.raise_mode === "one_way" && numbers;
    return !isOneWay || !changes || bid.quantity === over.quantity;
  }

  /* Close the round by a call, a resignation or a forfeit, and compare what the log says of it. */
  close(kind, payload) {
    if (this.winner !== null) return "V7.over";
    if (payload.caller !== payload.seat || !this.#mayClose(kind, payload.seat)) return "V7.call";
    if (payload.bid !== this.bid || payload.bidder !== this.bidder) return "V7.bid-named";
    const isCall = kind === "dudo" || kind === "calza";
    const judged = isCall ? this.#judged(kind, payload) : this.#unjudged(kind, payload);
    if (typeof judged === "string") return judged;
    const { loser, gainer } = judged;
    if (payload.loser !== loser || payload.gainer !== gainer) return "V7.loss";
    return this.#goOn(kind, payload, judged);
  }

  #mayClose(kind, seat) {
    if (!this.inPlay.includes(seat)) return false;
    if (kind === "resign") return true;
    if (kind === "forfeit") return seat === this.turn;
    if (this.bid === null) return false;
    if (kind === "dudo") return seat === this.turn;
    const calza = this.rules.calza;
    if (!calza.enabled || seat === this.bidder) return false;
    if (calza.window === "turn_only" && seat !== this.turn) return false;
    if (!calza.two_players && this.inPlay.length === 2) return false;
    if (!calza.in_palifico && this.mode === "palifico") return false;
    return !calza.needs_lost_die || this.dice[seat] < this.rules.start_dice;
  }

  /* nothing is lifted; time that ran out costs a die. */
  #unjudged(kind, payload) {
    if (payload.lifted.length || payload.count !== null || payload.held !== null) return "V7.lifted";
    return { loser: kind === "forfeit" ? payload.seat : null, gainer: null };
  }

  /* Sections 3 and 5: lift, count, and find who loses or gains. */
  #judged(kind, payload) {
    const { quantity, face } = readBid(this.bid);
    const isWild = this.mode === "normal" && face !== 1;
    const stopsEarly = kind === "dudo" && this.rules.reveal === "clockwise_early_stop";
    let count = 0;
    let at = 0;
    for (const seat of this.#clockwise(payload.seat)) {
      const cup = payload.lifted[at];
      if (cup?.seat !== seat || cup.dice.length !== this.dice[seat]) return "V7.lifted";
      const matching = cup.dice.filter((die) => die === face || (isWild && die === 1)).length;
      if (cup.matching !== matching) return "V7.count";
      count += matching;
      at += 1;
      if (stopsEarly && count >= quantity) break;
    }
    if (payload.lifted.length !== at) return "V7.lifted";
    const held = kind === "calza" ? count === quantity : count >= quantity;
    if (payload.count !== count || payload.held !== held) return "V7.count";
    if (kind === "dudo") return { loser: held ? payload.seat : this.bidder, gainer: null };
    if (!held) return { loser: payload.seat, gainer: null };
    const gains = this.dice[payload.seat] < this.rules.start_dice;
    return { loser: null, gainer: gains ? payload.seat : null };
  }

  /* Section 6: move the dice, and find who is out, who opens, how, and who has won. */
  #goOn(kind, payload, { loser, gainer }) {
    const isResigned = kind === "resign";
    if (isResigned) this.dice[payload.seat] = 0;
    if (loser !== null) this.dice[loser] -= 1;
    if (gainer !== null) this.dice[gainer] += 1;
    const gone = isResigned ? payload.seat : loser;
    const out = gone !== null && this.dice[gone] === 0 ? gone : null;
    if (payload.out !== out) return "V7.loss";
    const left = this.inPlay;
    const winner = left.length === 1 ? left[0] : null;
    if (payload.winner !== winner) return "V7.winner";
    if (winner !== null) {
      this.winner = winner;
      return payload.next_opener === null && payload.next_mode === null ? null : "V7.next";
    }
    const palificoBy = this.#paysPalifico(isResigned, loser);
    const wish = isResigned ? this.opener : kind === "calza" ? payload.seat : loser;
    const opener = this.#clockwise(wish)[0];
    const mode = palificoBy === null ? "normal" : "palifico";
    this.#deal({ opener, mode, palificoBy });
    return payload.next_opener === opener && payload.next_mode === mode ? null : "V7.next";
  }

  /* Section 4: return whose palifico round comes next, or null. */
  #paysPalifico(isResigned, loser) {
    const { enabled, trigger, two_players: withTwo } = this.rules.palifico;
    const fits = withTwo || this.inPlay.length > 2; // R-45
    if (isResigned) {
      const stays = this.palificoBy !== null && this.dice[this.palificoBy] > 0;
      return stays && fits ? this.palificoBy : null;
    }
    if (loser === null || this.dice[loser] !== 1) return null;
    const isFirst = !this.hasDropped[loser];
    this.hasDropped[loser] = true;
    return enabled && fits && (isFirst || trigger === "every_drop_to_one") ? loser : null;
  }
}
