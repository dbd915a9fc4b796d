"""RFC 6962: the roots and paths that the Certificate Transparency project publishes for eight known inputs."""

from __future__ import annotations

import hashlib

import pytest

from passer.domain.merkle import inclusion_path, leaf_hash, node_hash, root_by_path, root_of

INPUTS = ("", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f")
ROOTS = (
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
)
PATH_OF_THE_FIRST_OF_EIGHT = (
    "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
    "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
    "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
)
LEAVES = [leaf_hash(bytes.fromhex(data)) for data in INPUTS]


def split_at_the_power_of_two(leaves: list[bytes]) -> bytes:
    """The definition of RFC 6962, word for word."""
    if len(leaves) == 1:
        return leaves[0]
    k = 1
    while 2 * k < len(leaves):
        k *= 2
    return node_hash(split_at_the_power_of_two(leaves[:k]), split_at_the_power_of_two(leaves[k:]))


@pytest.mark.parametrize("count", range(1, 9))
def test_the_published_roots(count: int):
    assert root_of(LEAVES[:count]).hex() == ROOTS[count - 1]


def test_the_root_over_nothing():
    assert root_of([]) == hashlib.sha256(b"").digest()


def test_a_published_path():
    assert tuple(step.hex() for step in inclusion_path(LEAVES, 0)) == PATH_OF_THE_FIRST_OF_EIGHT


@pytest.mark.parametrize("count", [1, 2, 3, 5, 6, 7, 8, 9, 13, 31, 33])
def test_levels_and_the_recursive_definition_agree_and_every_path_leads_to_the_root(count: int):
    leaves = [leaf_hash(bytes([number])) for number in range(count)]
    root = root_of(leaves)
    assert root == split_at_the_power_of_two(leaves)
    for place, leaf in enumerate(leaves):
        path = inclusion_path(leaves, place)
        assert root_by_path(leaf, path, place=place, count=count) == root
        if path:
            wrong = [*path[:-1], bytes(32)]
            assert root_by_path(leaf, wrong, place=place, count=count) != root
            with pytest.raises(ValueError, match="too short"):
                root_by_path(leaf, path[:-1], place=place, count=count)
        with pytest.raises(ValueError, match="too long"):
            root_by_path(leaf, [*path, bytes(32)], place=place, count=count)


def test_a_leaf_that_is_not_there():
    with pytest.raises(IndexError):
        inclusion_path(LEAVES, 8)
    with pytest.raises(ValueError, match="no leaf"):
        root_by_path(LEAVES[0], [], place=1, count=1)


def test_a_leaf_is_no_node():
    """The prefixes keep a node's content from being taken for a leaf."""
    assert leaf_hash(LEAVES[0] + LEAVES[1]) != node_hash(LEAVES[0], LEAVES[1])
