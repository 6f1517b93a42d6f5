# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
