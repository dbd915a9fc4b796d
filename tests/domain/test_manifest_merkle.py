"""RFC 6962: the roots that the Certificate Transparency project publishes for eight known inputs."""

from __future__ import annotations

import hashlib

import pytest

from passer.domain.bundle.merkle import leaf_hash, node_hash, root_of

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


@pytest.mark.parametrize("count", [1, 2, 3, 5, 6, 7, 8, 9, 13, 31, 33])
def test_levels_and_the_recursive_definition_agree(count: int):
    leaves = [leaf_hash(bytes([number])) for number in range(count)]
    assert root_of(leaves) == split_at_the_power_of_two(leaves)


def test_a_leaf_is_no_node():
    """The prefixes keep a node's content from being taken for a leaf."""
    assert leaf_hash(LEAVES[0] + LEAVES[1]) != node_hash(LEAVES[0], LEAVES[1])
