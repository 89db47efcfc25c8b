// boardgame.io's server, and clients that play at it: the peer beside which benchmarks/service.py measures.
//
//   node peer.js serve memory|flatfile PORT FOLDER     serves until it is killed
//   node peer.js play PORT MATCHES SECONDS             prints how many moves a second were played

const { Server, FlatFile, Origins } = require("boardgame.io/server");
const { Client } = require("boardgame.io/client");
const { SocketIO } = require("boardgame.io/multiplayer");

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

async function begin(server, match) {
  let client;
  // Who comes first to a match that is not there begins it, and must not be the one who moves first.
  for (const playerID of ["1", "0"]) {
    client = Client({ game, multiplayer: SocketIO({ server }), matchID: `match${match}`, playerID, debug: false });
    const mine = client;
    let seen = -1;
    client.subscribe((state) => {
      // Whoever is to move has it from the server that the other one has moved, and moves at once.
      if (!state?.isConnected || state.ctx.currentPlayer !== playerID || state._stateID <= seen) return;
      seen = state._stateID;
      setImmediate(() => mine.moves.take(7));
    });
    client.start();
    while (!client.getState()?.isConnected) await new Promise((go) => setTimeout(go, 20));
  }
  return client;
}

async function play(port, matches, seconds) {
  const clients = [];
  for (let match = 0; match < matches; match += 1) {
    clients.push(await begin(`http://127.0.0.1:${port}`, match));
  }
  // How far the matches have come, and not how often anybody was told.
  const moves = () => clients.reduce((sum, client) => sum + client.getState()._stateID, 0);
  await new Promise((go) => setTimeout(go, 1000));
  const [before, began] = [moves(), performance.now()];
  await new Promise((go) => setTimeout(go, seconds * 1000));
  console.log(((moves() - before) * 1000) / (performance.now() - began));
  process.exit(0);
}

const [what, ...rest] = process.argv.slice(2);
if (what === "serve") serve(...rest);
else play(...rest.map(Number));
