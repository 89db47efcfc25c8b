// boardgame.io's server, and clients that play at it: the peer beside which benchmarks/service.py measures.
//
//   node peer.js serve memory|flatfile PORT FOLDER     serves until it is killed
//   node peer.js play PORT MATCHES SECONDS             prints how many moves a second were played

const { Server, FlatFile, Origins } = require("boardgame.io/server");
const { io } = require("socket.io-client");

// A move writes as much as one of ours says; nobody ever wins.
const game = {
  name: "take",
  setup: () => ({ taken: [] }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: { take: ({ G }, card) => ({ taken: [...G.taken.slice(-20), card] }) },
};

function serve(storage, port, folder) {
  const kept = storage === "flatfile" ? { db: new FlatFile({ dir: folder }) } : {};
  Server({ games: [game], origins: [Origins.LOCALHOST], ...kept }).run({ port: Number(port) });
}

// Plays one seat by what the server sends and nothing else; says how far the match has come.
function sit(server, match, seat, told) {
  const line = io(`${server}/take`, { forceNew: true });
  const look = (state) => {
    told(state._stateID);
    if (state.ctx.currentPlayer !== seat) return;
    const move = { type: "MAKE_MOVE", payload: { type: "take", args: [7], playerID: seat } };
    line.emit("update", move, state._stateID, match, seat);
  };
  line.on("update", (_match, state) => look(state));
  return new Promise((go) => {
    line.on("sync", (_match, { state }) => go(() => look(state)));
    line.on("connect", () => line.emit("sync", match, seat, undefined, 2));
  });
}

async function play(port, matches, seconds) {
  const come = new Array(matches).fill(0);
  for (let match = 0; match < matches; match += 1) {
    const told = (stateID) => (come[match] = Math.max(come[match], stateID));
    // Who comes first to a match that is not there begins it; the first move is made when both are there.
    await sit(`http://127.0.0.1:${port}`, `match${match}`, "1", told);
    (await sit(`http://127.0.0.1:${port}`, `match${match}`, "0", told))();
  }
  const moves = () => come.reduce((sum, stateID) => sum + stateID, 0);
  await new Promise((go) => setTimeout(go, 1000));
  const [before, began] = [moves(), performance.now()];
  await new Promise((go) => setTimeout(go, seconds * 1000));
  console.log(((moves() - before) * 1000) / (performance.now() - began));
  process.exit(0);
}

const [what, ...rest] = process.argv.slice(2);
if (what === "serve") serve(...rest);
else play(...rest.map(Number));
