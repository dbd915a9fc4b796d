// WharfKit's serialiser, keys and signatures as an independent check of PaSSER's own (tests/antelope).
// Reads a JSON list of questions from stdin, writes a JSON list of answers.
import { Buffer } from "node:buffer";
import process from "node:process";
import { text } from "node:stream/consumers";
import {
  ABI,
  Action,
  Checksum256,
  IdentityProof,
  PrivateKey,
  PublicKey,
  Serializer,
  Signature,
  Transaction,
} from "@wharfkit/session";

/** A proof has a signature before there is one. */
const NONE = PrivateKey.generate("K1").signDigest(Checksum256.from("00".repeat(32)));

const answers = {
  // A transaction whose actions' data are plain fields, packed by the contract's ABI.
  pack({ transaction, abi }) {
    const definition = ABI.from(abi);
    const actions = transaction.actions.map((action) => Action.from(action, definition));
    const whole = Transaction.from({ ...transaction, actions });
    return { packed: Serializer.encode({ object: whole }).hexString, id: String(whole.id) };
  },
  // A transaction as PaSSER hands it to a wallet: data packed already.
  wallet({ transaction, chain_id }) {
    const whole = Transaction.from(transaction);
    return {
      packed: Serializer.encode({ object: whole }).hexString,
      id: String(whole.id),
      digest: String(whole.signingDigest(Checksum256.from(chain_id))),
    };
  },
  // What a wallet signs to prove its key, signed with it.
  identity({ key, chain_id, scope, expiration, signer }) {
    const pair = PrivateKey.from(key);
    const unsigned = { chainId: chain_id, scope, expiration, signer, signature: NONE };
    const { transaction } = IdentityProof.from(unsigned);
    const signature = pair.signDigest(transaction.signingDigest(Checksum256.from(chain_id)));
    const proof = IdentityProof.from({ ...unsigned, signature });
    return {
      packed: Serializer.encode({ object: transaction }).hexString,
      signature: String(signature),
      recovered: String(proof.recover()),
    };
  },
  unpack({ packed, type, abi }) {
    return Serializer.objectify(Serializer.decode({ data: packed, type, abi: ABI.from(abi) }));
  },
  abi({ abi }) {
    return { packed: Serializer.encode({ object: ABI.from(abi) }).hexString };
  },
  sign({ key, digest }) {
    return { signature: String(PrivateKey.from(key).signDigest(Checksum256.from(digest))) };
  },
  recover({ signature, digest }) {
    return { key: String(Signature.from(signature).recoverDigest(Checksum256.from(digest))) };
  },
  key({ key }) {
    const pair = PrivateKey.from(key);
    const shown = PublicKey.from(pair.toPublic());
    return { wif: pair.toWif(), key: String(pair), public: String(shown), legacy: shown.toLegacyString() };
  },
};

const questions = JSON.parse(await text(process.stdin));
const given = questions.map(({ ask, ...rest }) => answers[ask](rest));
process.stdout.write(Buffer.from(JSON.stringify(given)));
